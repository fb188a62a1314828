/** A line of a stream of text, with its number from 1 and how many bytes it takes. */
export interface NumberedLine {
  text: string;
  number: number;
  bytes: number;
}

/** The lines of a stream of UTF-8, the last one with or without a newline. */
export async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<NumberedLine> {
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  let number = 0;
  const lineOf = (end: string): NumberedLine => {
    const text = pieces.length === 0 ? end : [...pieces, end].join("");
    pieces = [];
    number += 1;
    return { text, number, bytes: Buffer.byteLength(text) + 1 };
  };
  for await (const chunk of stream) {
    const parts = decoder.decode(chunk, { stream: true }).split("\n");
    const rest = parts.pop() as string;
    for (const part of parts) yield lineOf(part);
    if (rest !== "") pieces.push(rest);
  }
  const last = decoder.decode();
  if (last !== "" || pieces.length > 0) yield lineOf(last);
}
