// Parses the service's server-sent events: records with an id, and comments while there are none.
import type { Readable } from 'node:stream';

export interface StreamMessage<T> {
  /** The id after which a stream can be resumed. */
  readonly id: string;
  readonly data: T;
}

/** The service sends a comment every 15 s: a connection that misses two of them is dead. */
const silentMsMax = 40_000;
/** A record has at most 8 MiB of JSON; longer text without an end is not a record. */
const messageCharsMax = 32 * 2 ** 20;

/** Ends when the service ends the stream; throws when the connection breaks or falls silent. */
export async function* streamMessages<T>(body: Readable, silentMs = silentMsMax): AsyncGenerator<StreamMessage<T>> {
  const silenceTimer = setTimeout(() => body.destroy(new Error(`nothing came for ${silentMs / 1000} s`)), silentMs);
  const blocks = new BlockSplitter();
  body.setEncoding('utf8');
  try {
    for await (const chunk of body) {
      silenceTimer.refresh();
      yield* blocks.push(chunk as string).flatMap((block) => messageOf<T>(block) ?? []);
    }
  } finally {
    clearTimeout(silenceTimer);
  }
}

/** Splits text at empty lines. A record that arrives in many pieces is searched and joined only once. */
class BlockSplitter {
  #pieces: string[] = [];
  #chars = 0;
  /** Whether the last piece ended a line: an empty line can be split between two pieces. */
  #endedLine = false;

  push(chunk: string): readonly string[] {
    const isBoundary = this.#endedLine && chunk.startsWith('\n');
    this.#endedLine = chunk.endsWith('\n');
    if (!isBoundary && !chunk.includes('\n\n')) {
      this.#append(chunk);
      return [];
    }
    const blocks = (this.#pieces.join('') + chunk).split('\n\n');
    this.#pieces = [];
    this.#chars = 0;
    this.#append(blocks.pop() ?? '');
    return blocks;
  }

  #append(text: string): void {
    this.#pieces.push(text);
    this.#chars += text.length;
    if (this.#chars > messageCharsMax) throw new Error('a record of the stream is too large');
  }
}

/** Undefined for a comment, or for the time to wait before a new connection. */
function messageOf<T>(block: string): StreamMessage<T> | undefined {
  let id: string | undefined;
  const data: string[] = [];
  for (const line of block.split('\n')) {
    if (line.startsWith('id: ')) id = line.slice('id: '.length);
    if (line.startsWith('data: ')) data.push(line.slice('data: '.length));
  }
  if (id === undefined || data.length === 0) return undefined;
  return { id, data: JSON.parse(data.join('\n')) as T };
}
