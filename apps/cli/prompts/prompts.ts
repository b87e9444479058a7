// Asks the user at a terminal. Questions are written to stderr, so that stdout has only results. Foreign texts in
// them are made safe here.
import type { Readable, Writable } from 'node:stream';
import { autocomplete, confirm, isCancel, password, select, text } from '@clack/prompts';
import type { CANCEL_SYMBOL } from '@clack/prompts';
import { Interrupted } from '../failures/failure.ts';
import { plainLine, plainText } from '../output/plain-text.ts';

export interface Choice<T> {
  readonly value: T;
  readonly label: string;
  readonly hint?: string;
}

export interface Question {
  readonly message: string;
  /** Used if the answer is empty. */
  readonly initial?: string | undefined;
  readonly isOptional?: boolean;
  /** Why an answer is invalid; undefined: it is valid. */
  readonly problem?: (answer: string) => string | undefined;
}

/** From so many choices on, typing narrows them. */
const searchedFrom = 8;

interface Io {
  readonly input: Readable;
  readonly output: Writable;
  readonly signal: AbortSignal;
}

export class Prompts {
  readonly #io: Omit<Io, 'signal'>;

  constructor(input: Readable, output: Writable) {
    this.#io = { input, output };
  }

  async text({ message, initial, ...question }: Question): Promise<string> {
    const shown = initial === undefined ? {} : { placeholder: plainLine(initial), defaultValue: initial };
    const validate = validation({ ...question, isOptional: question.isOptional === true || initial !== undefined });
    return (await this.#ask((io) => text({ ...io, message: plainText(message), ...shown, validate }))) ?? '';
  }

  /** Only the length of the answer is shown. */
  async secret({ message, ...question }: Question): Promise<string> {
    const validate = validation(question);
    return (await this.#ask((io) => password({ ...io, message: plainText(message), validate }))) ?? '';
  }

  async confirm(message: string, initialValue = true): Promise<boolean> {
    return this.#ask((io) => confirm({ ...io, message: plainText(message), initialValue }));
  }

  async choose<T extends string>(message: string, choices: readonly Choice<T>[]): Promise<T> {
    const options = choices.map(({ value, label, hint }) => ({
      value,
      label: plainLine(label),
      ...(hint === undefined ? {} : { hint: plainLine(hint) }),
    }));
    // The types of the options depend on whether a value is a primitive, which a generic cannot show.
    const question = { message: plainText(message), options: options as never };
    if (choices.length < searchedFrom) return this.#ask((io) => select<T>({ ...io, ...question }));
    return this.#ask((io) => autocomplete<T>({ ...io, ...question, maxItems: searchedFrom }));
  }

  /** Throws Interrupted after Ctrl-C, Escape or Ctrl-D, and when the terminal has nothing more to read. */
  async #ask<T>(ask: (io: Io) => Promise<T | typeof CANCEL_SYMBOL>): Promise<T> {
    const { input } = this.#io;
    const inputEnd = new AbortController();
    // Input pauses after an answer, but also after Ctrl-D, when the question would wait forever.
    let isAnswered = false;
    const onPause = (): void =>
      void setImmediate(() => {
        if (!isAnswered) inputEnd.abort();
      });
    input.once('pause', onPause);
    try {
      const answer = await ask({ ...this.#io, signal: inputEnd.signal });
      if (isCancel(answer)) throw new Interrupted();
      return answer as T;
    } finally {
      isAnswered = true;
      input.off('pause', onPause);
    }
  }
}

const validation =
  ({ isOptional, problem }: Omit<Question, 'message'>) =>
  (answer: string | undefined): string | undefined => {
    if (answer === undefined || answer === '') return isOptional === true ? undefined : 'Please give a value.';
    return problem?.(answer);
  };
