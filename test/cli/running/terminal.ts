// Runs `pd` at a pseudo-terminal, made by `script`, to type into and read from.
import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { endLater } from '../../support/processes/left-behind.ts';
import { until } from '../../support/until.ts';
import { environmentOf, pdPath } from './pd.ts';
import type { CommandOptions } from './pd.ts';

export const keys = { enter: '\r', down: '\u001b[B', interrupt: '\u0003', end: '\u0004', erase: '\u007f' } as const;

const shellQuote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

export class Terminal {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #closed: Promise<[number | null]>;
  #raw = '';
  /** How much of the text earlier waits have already matched. */
  #matchedLength = 0;

  constructor(args: readonly string[], { env, cwd }: CommandOptions) {
    const call = [process.execPath, pdPath, ...args].map(shellQuote).join(' ');
    // Without a size, prompts would be wrapped at every character.
    const command = `stty cols 120 rows 40; exec ${call}`;
    this.#child = endLater(
      spawn('script', ['-qefc', command, '/dev/null'], {
        detached: true,
        env: environmentOf({ TERM: 'xterm-256color', ...env }),
        ...(cwd === undefined ? {} : { cwd }),
      }),
    );
    this.#closed = once(this.#child, 'close') as Promise<[number | null]>;
    this.#child.stdout.on('data', (chunk: Buffer) => (this.#raw += chunk.toString()));
  }

  /** Everything that was written, as readable text. */
  get text(): string {
    return stripVTControlCharacters(this.#raw);
  }

  /** Waits for text after that of the last wait. */
  async waitForText(pattern: RegExp): Promise<void> {
    const [start, end] = await until(
      `the terminal to show ${pattern}; it shows:\n${this.text.slice(this.#matchedLength)}`,
      () => {
        const found = pattern.exec(this.text.slice(this.#matchedLength));
        return found !== null && ([found.index, found.index + found[0].length] as const);
      },
    ).catch((error: Error) => {
      throw new Error(`${error.message}\nThe terminal shows:\n${this.text}`);
    });
    this.#matchedLength += start >= 0 ? end : 0;
  }

  /** A question hides the cursor while it is open. */
  get isCursorShown(): boolean {
    return this.#raw.lastIndexOf('\u001b[?25h') >= this.#raw.lastIndexOf('\u001b[?25l');
  }

  type(text: string): void {
    this.#child.stdin.write(text);
  }

  /** The exit code. */
  async exitCode(): Promise<number | null> {
    const [code] = await this.#closed;
    return code;
  }
}
