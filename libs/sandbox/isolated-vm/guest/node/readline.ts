// node:readline for reading lines from a stream; there is no terminal to ask.
import EventEmitter from 'events/events.js';
import { StringDecoder } from 'string_decoder/lib/string_decoder.js';
import type { Readable } from 'node:stream';

interface Options {
  readonly input?: Readable;
  readonly crlfDelay?: number;
  readonly signal?: AbortSignal;
}

/** Line ends, except a CR at the end of the text, which a LF might follow. */
const lineEnd = /\r\n|\n|\r(?!$)|\u2028|\u2029/;

const noTerminal = (name: string): never => {
  throw Object.assign(new Error(`readline.${name} is not available to components: they have no terminal`), {
    code: 'ERR_NOT_AVAILABLE',
  });
};

export class Interface extends EventEmitter {
  readonly input: Readable;
  readonly terminal = false;
  readonly line = '';
  closed = false;
  readonly #decoder = new StringDecoder('utf8');
  #pending = '';

  constructor(optionsOrInput: Options | Readable) {
    super();
    const { input, signal } = 'input' in optionsOrInput ? optionsOrInput : ({ input: optionsOrInput } as Options);
    if (typeof input?.on !== 'function')
      throw Object.assign(new TypeError('The "input" argument must be an instance of Stream'), {
        code: 'ERR_INVALID_ARG_TYPE',
      });
    this.input = input as Readable;
    this.input.on('data', (part: Buffer | string) =>
      this.#addText(typeof part === 'string' ? part : this.#decoder.write(part)),
    );
    this.input.on('error', (error: unknown) => this.emit('error', error));
    this.input.on('end', () => this.#end());
    this.input.on('close', () => this.close());
    if (signal?.aborted) this.close();
    else signal?.addEventListener('abort', () => this.close(), { once: true });
  }

  #addText(text: string): void {
    if (this.closed) return;
    const lines = (this.#pending + text).split(lineEnd);
    this.#pending = lines.pop() ?? '';
    for (const line of lines) this.emit('line', line);
  }

  #end(): void {
    this.#addText(this.#decoder.end());
    const last = this.#pending.replace(/\r$/, '');
    const isLine = this.#pending !== '';
    this.#pending = '';
    if (isLine && !this.closed) this.emit('line', last);
    this.close();
  }

  pause(): this {
    this.input.pause();
    this.emit('pause');
    return this;
  }
  resume(): this {
    this.input.resume();
    this.emit('resume');
    return this;
  }
  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.input.pause();
    this.emit('close');
  }
  setPrompt(): void {}
  getPrompt(): string {
    return '> ';
  }
  prompt(): void {}
  write(): never {
    return noTerminal('write');
  }
  question(): never {
    return noTerminal('question');
  }
  [Symbol.dispose](): void {
    this.close();
  }

  /** Pauses the input while there are unread lines. */
  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    const lines: string[] = [];
    let failure: { readonly error: unknown } | undefined;
    let wake = (): void => {};
    this.on('line', (line: string) => {
      lines.push(line);
      this.input.pause();
      wake();
    });
    this.on('error', (error: unknown) => {
      failure = { error };
      wake();
    });
    this.on('close', () => wake());
    try {
      for (;;) {
        const line = lines.shift();
        if (line !== undefined) yield line;
        else if (failure !== undefined) throw failure.error;
        else if (this.closed) return;
        else {
          this.input.resume();
          await new Promise<void>((resolve) => (wake = resolve));
        }
      }
    } finally {
      this.close();
    }
  }
}

const createInterface = (optionsOrInput: Options | Readable): Interface => new Interface(optionsOrInput);

/** For functions that move the cursor of a terminal. */
const nothing = (): boolean => true;

export const readlinePromises = { createInterface, Interface, Readline: class Readline {} };
export const readline = {
  createInterface,
  Interface,
  promises: readlinePromises,
  clearLine: nothing,
  clearScreenDown: nothing,
  cursorTo: nothing,
  moveCursor: nothing,
  emitKeypressEvents: (): void => {},
};
