// A pipe whose reader a test has in its hands: it reads, stands still or is gone.
import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export class UnreadPipe {
  /** To be given to a process. */
  readonly writingEnd: number;
  readonly #readingEnd: number;
  #isOpen = true;
  #reader: ChildProcess | undefined;
  #text = '';

  constructor() {
    const directory = mkdtempSync(join(tmpdir(), 'pipe-'));
    const path = join(directory, 'pipe');
    execFileSync('mkfifo', [path]);
    // Either end alone would wait for the other one to be opened.
    const both = openSync(path, constants.O_RDWR);
    this.writingEnd = openSync(path, constants.O_WRONLY);
    this.#readingEnd = openSync(path, constants.O_RDONLY);
    closeSync(both);
    rmSync(directory, { recursive: true });
  }

  /** What the reader has read. */
  get text(): string {
    return this.#text;
  }

  startReading(): void {
    const reader = spawn('cat', [], { stdio: [this.#readingEnd, 'pipe', 'ignore'] });
    reader.stdout?.setEncoding('utf8').on('data', (text: string) => (this.#text += text));
    this.#reader = reader;
  }

  /** It is there, and takes nothing. */
  freezeReader(): void {
    this.#reader?.kill('SIGSTOP');
  }

  /** Nobody will ever read again; anyone who writes is told so once this process has no end of it. */
  async breakOff(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    closeSync(this.writingEnd);
    closeSync(this.#readingEnd);
    const reader = this.#reader;
    if (reader === undefined || reader.exitCode !== null || reader.signalCode !== null) return;
    const ended = once(reader, 'exit');
    reader.kill('SIGKILL');
    await ended;
  }
}
