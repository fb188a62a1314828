import { isReadOnlyCall } from "./call.ts";
import type { Hook } from "./hook.ts";
import { parseInput, shapes } from "./input.ts";

const allow = JSON.stringify({
  hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "allow" } },
});

/** PermissionRequest: the model may look up its own memory without a question; everything else is the person's to decide. */
const permissionRequest: Hook = (_env, stdin) => {
  const input = parseInput(shapes.permissionRequest, stdin);
  const command = input?.tool_input?.command;
  return input?.tool_name === "Bash" && typeof command === "string" && isReadOnlyCall(command) ? allow : undefined;
};

export default permissionRequest;
