import type { Entry } from "./entry.ts";
import { asBlocks, asObject, asText, blockTexts, type Line, timeOf } from "./line.ts";

/** Our own hooks by their command, wherever the plugin is installed. */
const ownHook = /throughline(\.exe)?["']?\s+hook\b|throughline["']? hook/;

/**
 * An `attachment` line: the text a person typed while Claude was working, what somebody else's hook said, or one of the
 * client's many notes to itself, which are nothing.
 */
export function attachmentOf(line: Line): Entry {
  const attachment = asObject(line.attachment);
  const uuid = asText(line.uuid);
  const type = asText(attachment.type);
  if (uuid === undefined || type === undefined || line.isSidechain === true) return { kind: "nothing" };
  if (type === "queued_command") return queuedCommand(attachment, uuid, timeOf(line));
  if (type === "hook_success" || type === "hook_non_blocking_error") return hookEntry(attachment, uuid, timeOf(line));
  return { kind: "nothing" };
}

function queuedCommand(attachment: Line, uuid: string, at: number): Entry {
  const text = asText(attachment.prompt) ?? blockTexts(asBlocks(attachment.prompt)).join("\n");
  const mode = asText(attachment.commandMode) ?? "prompt";
  if (text.trim() === "") return { kind: "nothing" };
  if (mode !== "prompt" || text.startsWith("<")) return { kind: "notice", uuid, at, tool: "notification", text };
  return { kind: "queued", uuid, at, text };
}

function hookEntry(attachment: Line, uuid: string, at: number): Entry {
  const command = asText(attachment.command) ?? "";
  const output = asText(attachment.content) || asText(attachment.stderr) || asText(attachment.stdout) || "";
  if (output.trim() === "" || ownHook.test(command)) return { kind: "nothing" };
  return {
    kind: "notice",
    uuid,
    at,
    tool: `hook:${asText(attachment.hookEvent) ?? "unknown"}`,
    text: output,
    input: command,
  };
}
