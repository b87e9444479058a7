// A pipe whose reader a test controls: it reads, freezes or goes away.
import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export class UnreadPipe {
  /** The descriptor to give to a process. */
  readonly writingEnd: number;
  readonly #readingEnd: number;
  #isOpen = true;
  #reader: ChildProcess | undefined;
  #text = '';

  constructor() {
    const directory = mkdtempSync(join(tmpdir(), 'pipe-'));
    const path = join(directory, 'pipe');
    execFileSync('mkfifo', [path]);
    // Opened for both, because opening one end would wait for the other.
    const both = openSync(path, constants.O_RDWR);
    this.writingEnd = openSync(path, constants.O_WRONLY);
    this.#readingEnd = openSync(path, constants.O_RDONLY);
    closeSync(both);
    rmSync(directory, { recursive: true });
  }

  /** The text that the reader has read. */
  get text(): string {
    return this.#text;
  }

  startReading(): void {
    const reader = spawn('cat', [], { stdio: [this.#readingEnd, 'pipe', 'ignore'] });
    reader.stdout?.setEncoding('utf8').on('data', (text: string) => (this.#text += text));
    this.#reader = reader;
  }

  /** The reader stays, but reads nothing. */
  freezeReader(): void {
    this.#reader?.kill('SIGSTOP');
  }

  /** Ends the reader; writers get an error once this process has closed its own ends. */
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
