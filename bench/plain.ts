// A program that does nothing but read a file in pieces and parse each of its lines: the least that reading a transcript
// can cost. Compiled and run by reading.ts.
import { closeSync, openSync, readSync } from "node:fs";

const fd = openSync(process.argv[2] as string, "r");
const buffer = Buffer.allocUnsafe(1 << 20);
const decoder = new TextDecoder();
let rest = "";
for (let bytes = readSync(fd, buffer); bytes > 0; bytes = readSync(fd, buffer)) {
  const lines = decoder.decode(buffer.subarray(0, bytes), { stream: true }).split("\n");
  lines[0] = rest + lines[0];
  rest = lines.pop() ?? "";
  for (const line of lines) JSON.parse(line);
}
closeSync(fd);
