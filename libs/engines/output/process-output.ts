// Writes a process's output in order, through a bounded buffer, without ever making the process wait for a reader.
import { Backoff } from '../../primitives/backoff.ts';
import { resolvesInTime } from '../../primitives/time-limit.ts';

/** A destination of bytes. */
export interface Sink {
  /** Blocks no thread. Resolves with the number of bytes written; rejects if none can be written now. */
  write(bytes: Buffer): Promise<number>;
}

/** About 20,000 log lines, which would otherwise be lost while a reader restarts. */
const bufferMaxBytes = 4 * 1024 * 1024;
/** Once lines are dropped, dropping continues until this much room is free, so that one notice covers many lines. */
const resumeAtBytes = bufferMaxBytes / 2;
/** PIPE_BUF of Linux: up to this size a write to a pipe is atomic, whatever other processes write to it. */
const chunkMaxBytes = 4096;
/** Waits between tries: short for a slow reader, long for a stopped reader or a full disk, which then cost little. */
const firstRetryMs = 5;
const longestRetryMs = 100;

/** Whole lines that are written together. */
interface Chunk {
  text: string;
  bytes: number;
}

export class ProcessOutput {
  readonly #sink: Sink;
  readonly #formatNotice: (lines: number) => string;
  readonly #chunks: Chunk[] = [];
  /** The number of bytes that are not written to the sink yet. */
  #bytes = 0;
  #dropped = 0;
  readonly #backoff = new Backoff(firstRetryMs, longestRetryMs);
  #isPumping = false;
  #pumpDone = Promise.resolve();

  /** `formatNotice` returns the line that replaces the dropped lines. */
  constructor(sink: Sink, formatNotice: (lines: number) => string) {
    this.#sink = sink;
    this.#formatNotice = formatNotice;
  }

  /** Accepts whole lines with their line ends. Returns at once, never throws; drops and counts lines without room. */
  write(lines: string): void {
    const bytes = Buffer.byteLength(lines);
    this.#reportDropped();
    if (this.#dropped > 0 || this.#bytes + bytes > bufferMaxBytes) this.#dropped += 1;
    else this.#add({ text: lines, bytes });
    if (!this.#isPumping) this.#pumpDone = this.#pump();
  }

  /** Resolves when everything is written, or after `maxMs` at the latest. */
  async flush(maxMs: number): Promise<void> {
    await resolvesInTime(this.#pumpDone, maxMs);
  }

  #reportDropped(): void {
    if (this.#dropped === 0 || this.#bytes > resumeAtBytes) return;
    const text = this.#formatNotice(this.#dropped);
    this.#dropped = 0;
    this.#add({ text, bytes: Buffer.byteLength(text) });
  }

  #add(chunk: Chunk): void {
    this.#bytes += chunk.bytes;
    const last = this.#chunks.at(-1);
    if (last === undefined || last.bytes + chunk.bytes > chunkMaxBytes) {
      this.#chunks.push(chunk);
      return;
    }
    last.text += chunk.text;
    last.bytes += chunk.bytes;
  }

  async #pump(): Promise<void> {
    this.#isPumping = true;
    for (let chunk = this.#chunks.shift(); chunk !== undefined; chunk = this.#chunks.shift()) {
      await this.#writeFully(Buffer.from(chunk.text));
      this.#reportDropped();
    }
    this.#isPumping = false;
  }

  /** Writes the whole chunk, however long it takes: a partly written chunk is always completed. */
  async #writeFully(bytes: Buffer): Promise<void> {
    for (let remaining = bytes; remaining.length > 0;) {
      const written = await this.#sink.write(remaining).catch(() => 0);
      this.#bytes -= written;
      remaining = remaining.subarray(written);
      if (written > 0) this.#backoff.reset();
      else await this.#pause();
    }
  }

  /** Waits before the next try, without keeping the process running. */
  async #pause(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, this.#backoff.next()).unref());
  }
}
