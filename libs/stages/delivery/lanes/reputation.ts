// Keeps the standing of a receiver, which decides the places and connections of its attempts, and how many at a time.
import type { AttemptFailure, AttemptOutcome } from '../outcomes/outcome.ts';

/** `doubtful`: unknown, the last attempt failed, or an answer is overdue; `silent`: several attempts had no answer. */
export type Standing = 'answering' | 'doubtful' | 'silent';
export const standings: readonly Standing[] = ['answering', 'doubtful', 'silent'];

/** `replay`: any attempt of a replay. Waiting attempts start in this order of kinds. */
export type AttemptKind = 'first' | 'retry' | 'replay';
export const kinds: readonly AttemptKind[] = ['first', 'retry', 'replay'];

/** How an attempt ended. `failed`: at once, without an answer; `silent`: no answer in time; `void`: it never began. */
export type AttemptEnd = 'answered' | 'failed' | 'silent' | 'void';

export const isSilence = (failure: AttemptFailure): boolean => failure === 'timeout' || failure === 'connect_timeout';

export function endOf(outcome: AttemptOutcome): AttemptEnd {
  // A dropped event shows nothing about the receiver.
  if (outcome.kind === 'dropped') return 'void';
  if (outcome.kind === 'answered') return 'answered';
  if (outcome.failure === 'transform_failed') return 'void';
  return isSilence(outcome.failure) ? 'silent' : 'failed';
}

export class Reputation {
  readonly #silencesMax: number;
  #doubted = true;
  #silences = 0;

  constructor(silencesMax: number) {
    this.#silencesMax = silencesMax;
  }

  get standing(): Standing {
    if (this.#silences >= this.#silencesMax) return 'silent';
    return this.#doubted ? 'doubtful' : 'answering';
  }

  /** Whether the receiver gets only one attempt at a time. */
  get isOneAtATime(): boolean {
    return this.#silences >= this.#silencesMax;
  }

  recordEnd(end: AttemptEnd): void {
    if (end === 'void') return;
    if (end === 'answered') this.trust();
    else this.#doubted = true;
    this.#silences = end === 'silent' ? this.#silences + 1 : 0;
  }

  /** Presumes that the receiver answers. */
  trust(): void {
    this.#doubted = false;
  }

  /** Notes that an answer is overdue. */
  doubt(): void {
    this.#doubted = true;
  }
}
