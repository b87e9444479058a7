// Deploys or updates a component that is being written, now and after each save, and reports errors in its code.
import { setTimeout as pause } from 'node:timers/promises';
import { isTransient } from '../../failures/retry.ts';
import { explain, isApiError } from '../../failures/explain.ts';
import { Failure } from '../../failures/failure.ts';
import type { Session } from '../../session/session.ts';
import { codeOfFile } from '../../props/code.ts';
import type { Code, FileCode } from '../../props/code.ts';
import { errorPositionOf } from './error-position.ts';
import type { ErrorPosition } from './error-position.ts';
import { watchSaves } from './watch.ts';

/** `isRetry`: the previous attempt with this code failed because of the service. */
type Attempt = (code: Code, isRetry: boolean) => Promise<void>;

/** The time between two attempts with the same code while the service cannot take it. */
const retryMs = 1_000;

export class WatchedFile {
  readonly #session: Session;
  readonly #path: string;
  readonly #signal: AbortSignal;
  #last: FileCode | undefined;

  constructor(session: Session, path: string, signal: AbortSignal) {
    this.#session = session;
    this.#path = path;
    this.#signal = signal;
  }

  /** Attempts with the current code, and then after each save, until one attempt succeeds. */
  async runUntilSuccess(attempt: Attempt): Promise<void> {
    this.#last = await codeOfFile(this.#path);
    if (await this.#try(attempt, this.#last.code)) return;
    for await (const { code } of this.#saves()) if (await this.#try(attempt, code)) return;
  }

  /** Attempts after each save from now on, or since the last attempt. */
  async runOnEachSave(attempt: Attempt): Promise<void> {
    for await (const { code } of this.#saves()) await this.#try(attempt, code);
  }

  async *#saves(): AsyncGenerator<FileCode> {
    const read = (): Promise<FileCode> => codeOfFile(this.#path);
    for await (const next of watchSaves(read, this.#last ?? (await read()), this.#signal)) {
      this.#last = next;
      yield next;
    }
  }

  /** False: the code has an error, which was reported. Retries failures that pass by themselves. */
  async #try(attempt: Attempt, code: Code): Promise<boolean> {
    const { out } = this.#session;
    for (let isReported = false; !this.#signal.aborted; isReported = true) {
      try {
        await attempt(code, isReported);
        return true;
      } catch (error) {
        if (isCodeError(error)) return this.#reportError(error, code);
        if (!isTransient(error)) throw error;
        if (!isReported) out.note(out.noteStyle.warning(`${explain(error).message} Trying again ...`));
        await pause(retryMs, undefined, { signal: this.#signal }).catch(() => undefined);
      }
    }
    return false;
  }

  #reportError(error: unknown, code: Code): false {
    const { out } = this.#session;
    const { message, details, hint } = explain(error);
    const position = errorPositionOf(error, code, this.#path);
    out.printError(position === undefined ? message : withPosition(message, position));
    for (const detail of details.filter((text) => !text.startsWith('at line'))) out.note(`  ${detail}`);
    if (hint !== undefined) out.note(hint);
    out.note('Waiting for the next save ...');
    return false;
  }
}

/** Whether other code might succeed. */
const isCodeError = (error: unknown): boolean =>
  error instanceof Failure || (isApiError(error) && (error.status === 400 || error.status === 413));

/** Puts the place at the start of the message, and removes it from its end. */
function withPosition(message: string, { file, line, column, reportedFile }: ErrorPosition): string {
  const filePrefix = reportedFile === undefined ? '' : `${reportedFile}, `;
  const text = message.replace(` (${filePrefix}line ${line}${column === undefined ? '' : `, column ${column}`})`, '');
  return `${file}:${line}${column === undefined ? '' : `:${column}`}: ${text}`;
}
