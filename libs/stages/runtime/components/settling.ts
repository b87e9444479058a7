// Tells what was not read yet from what is gone: reads on until all has been read that stood when a trigger was read.
import { PortError } from '../../../domain/port-error.ts';
import { NewerRecordError } from '../../loop/reading/unusable.ts';

/** Between attempts when the log does not answer, or holds what is newer than this program. */
const retryMs = 200;

export interface SettlingOptions {
  /** All triggers below it were read. */
  readonly readTo: () => number;
  /** Takes in all that any of those triggers can have been requested after. */
  readonly readOn: () => Promise<void>;
  /** `covers` may say more than before; `ask` again for what it does not say yet. */
  readonly settled: () => void;
  readonly fail: (error: Error) => void;
}

export class Settling {
  readonly #options: SettlingOptions;
  #below = 0;
  #isAsked = false;
  #stopped = false;

  constructor(options: SettlingOptions) {
    this.#options = options;
  }

  /** Whether what the trigger at this offset needs has been read, or is gone. */
  covers(offset: number): boolean {
    return offset < this.#below;
  }

  /** One question at a time, for all that were read until then. */
  ask(): void {
    if (this.#isAsked || this.#stopped) return;
    this.#isAsked = true;
    const below = this.#options.readTo();
    this.#options.readOn().then(
      () => this.#answered(below),
      (error: unknown) => this.#failed(error),
    );
  }

  stop(): void {
    this.#stopped = true;
  }

  #answered(below: number): void {
    this.#isAsked = false;
    this.#below = below;
    if (!this.#stopped) this.#options.settled();
  }

  #failed(error: unknown): void {
    if (this.#stopped) return;
    if (!(error instanceof NewerRecordError) && !(error instanceof PortError && error.retryable))
      return this.#options.fail(error instanceof Error ? error : new Error(String(error)));
    setTimeout(() => this.#answered(this.#below), retryMs).unref();
  }
}
