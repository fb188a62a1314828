import type { Base, Entry } from "./entry.ts";
import { asBlocks, asObject, asText, blockTexts, type Line } from "./line.ts";
import { mediaOf } from "./media.ts";
import { notification, unwrapPasted } from "./user.ts";

/** Our own hooks by their command, wherever the plugin is installed. */
const ownHook = /throughline(\.exe)?["']?\s+hook\b|throughline["']? hook/;

/** An `attachment` line of a kind that is kept: a text typed while Claude was working, a file, what somebody else's hook said. */
export function attachmentOf(line: Line, base: Base): Entry {
  const attachment = asObject(line.attachment);
  if (attachment.type === "queued_command") return queuedCommand(attachment, base);
  if (attachment.type === "file") return fileEntry(attachment, base);
  return hookEntry(attachment, base);
}

function queuedCommand(attachment: Line, base: Base): Entry {
  const text = unwrapPasted(blockTexts(asBlocks(attachment.prompt)).join("\n"));
  const media = asBlocks(attachment.prompt).flatMap(mediaOf);
  const mode = asText(attachment.commandMode) ?? "prompt";
  if (text.trim() === "" && media.length === 0) return { kind: "nothing" };
  const human = attachment.humanTurn === true || asObject(attachment.origin).kind === "human";
  if (!human && (mode !== "prompt" || notification.test(text)))
    return { kind: "notice", ...base, tool: "notification", text };
  return { kind: "queued", ...base, text, media };
}

// A file that the person named with @: its text is what the model was given.
function fileEntry(attachment: Line, base: Base): Entry {
  const { content } = attachment;
  const text = asText(content) ?? asText(asObject(asObject(content).file).content) ?? JSON.stringify(content ?? "");
  const input = asText(attachment.displayPath) ?? asText(attachment.filename) ?? "";
  return { kind: "notice", ...base, tool: "file", text, input };
}

function hookEntry(attachment: Line, base: Base): Entry {
  const command = asText(attachment.command) ?? "";
  const output = asText(attachment.content) || asText(attachment.stderr) || asText(attachment.stdout) || "";
  if (output.trim() === "" || ownHook.test(command)) return { kind: "nothing" };
  const tool = `hook:${asText(attachment.hookEvent) ?? "unknown"}`;
  return { kind: "notice", ...base, tool, text: output, input: command };
}
