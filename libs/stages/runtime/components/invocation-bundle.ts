// Loads the bundle of one invocation when the sandbox asks for it, and remembers why there was nothing to load.
import type { ComponentError } from '../../../domain/component/output.ts';
import type { Bundle, BuildOutcome } from '../../../packages/packages.ts';
import type { InvocationOutcome } from '../../../sandbox/sandbox.ts';

export class InvocationBundle {
  readonly #load: () => Promise<BuildOutcome>;
  #refusal: ComponentError | undefined;
  #loadError: unknown;

  /** `load` can throw PortError and NewerRecordError. */
  constructor(load: () => Promise<BuildOutcome>) {
    this.#load = load;
  }

  readonly bundle = async (): Promise<Bundle> => {
    const outcome = await this.#load().catch((error: unknown) => {
      this.#loadError = error;
      throw error;
    });
    if (outcome.kind === 'built') return outcome.bundle;
    if (outcome.kind === 'refused' || !outcome.again) this.#refusal = outcome.error;
    throw new Error(outcome.error.message);
  };

  /** The outcome, but failed instead of lost if there was nothing to load. Throws what `load` threw. */
  explainLoss(outcome: InvocationOutcome): InvocationOutcome {
    if (outcome.end !== 'lost') return outcome;
    if (this.#loadError !== undefined) throw this.#loadError;
    return this.#refusal === undefined ? outcome : { ...outcome, end: 'threw', error: this.#refusal };
  }
}
