// Questions to a person at a terminal. They are written to stderr, so that stdout has the results alone. What they say of
// others' texts is cleaned here.
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
  /** Taken for an empty answer. */
  readonly initial?: string | undefined;
  readonly isOptional?: boolean;
  /** Why an answer cannot be taken; undefined: it can. */
  readonly problem?: (answer: string) => string | undefined;
}

/** With more choices than this, typing narrows them. */
const searchedFrom = 8;

export class Prompts {
  readonly #io: { readonly input: Readable; readonly output: Writable };

  constructor(input: Readable, output: Writable) {
    this.#io = { input, output };
  }

  async text({ message, initial, ...question }: Question): Promise<string> {
    const shown = initial === undefined ? {} : { placeholder: plainLine(initial), defaultValue: initial };
    const validate = validation({ ...question, isOptional: question.isOptional === true || initial !== undefined });
    return answered(await text({ ...this.#io, message: plainText(message), ...shown, validate })) ?? '';
  }

  /** Nothing of the answer is shown but its length. */
  async secret({ message, ...question }: Question): Promise<string> {
    return answered(await password({ ...this.#io, message: plainText(message), validate: validation(question) })) ?? '';
  }

  async confirm(message: string, initialValue = true): Promise<boolean> {
    return answered(await confirm({ ...this.#io, message: plainText(message), initialValue }));
  }

  async choose<T extends string>(message: string, choices: readonly Choice<T>[]): Promise<T> {
    const options = choices.map(({ value, label, hint }) => ({
      value,
      label: plainLine(label),
      ...(hint === undefined ? {} : { hint: plainLine(hint) }),
    }));
    // The types of the options depend on whether a value is a primitive, which a generic cannot show.
    const asked = { ...this.#io, message: plainText(message), options: options as never };
    if (choices.length < searchedFrom) return answered(await select<T>(asked));
    return answered(await autocomplete<T>({ ...asked, maxItems: searchedFrom }));
  }
}

const validation =
  ({ isOptional, problem }: Omit<Question, 'message'>) =>
  (answer: string | undefined): string | undefined => {
    if (answer === undefined || answer === '') return isOptional === true ? undefined : 'Please give a value.';
    return problem?.(answer);
  };

/** Throws Interrupted after Ctrl-C or Escape. */
function answered<T>(answer: T | typeof CANCEL_SYMBOL): T {
  if (isCancel(answer)) throw new Interrupted();
  return answer as T;
}
