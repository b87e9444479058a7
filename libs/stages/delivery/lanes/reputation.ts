// What is known about a receiver: decides which places and connections its attempts use, and how many at a time.
import type { AttemptFailure, AttemptOutcome } from '../outcomes/outcome.ts';

/** `doubtful`: still unknown, or the last attempt failed, or an answer is overdue; `silent`: several had no answer. */
export type Standing = 'answering' | 'doubtful' | 'silent';
export const standings: readonly Standing[] = ['answering', 'doubtful', 'silent'];

/** `replay`: any attempt of a replay. Waiting kinds go first in this order. */
export type AttemptKind = 'first' | 'retry' | 'replay';
export const kinds: readonly AttemptKind[] = ['first', 'retry', 'replay'];

/** How an attempt ended. `failed`: at once, without an answer; `silent`: no answer in time; `void`: it never began. */
export type AttemptEnd = 'answered' | 'failed' | 'silent' | 'void';

export const isSilence = (failure: AttemptFailure): boolean => failure === 'timeout' || failure === 'connect_timeout';

export function endOf(outcome: AttemptOutcome): AttemptEnd {
  // Nothing is learnt of the receiver.
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
  get oneAtATime(): boolean {
    return this.#silences >= this.#silencesMax;
  }

  learn(end: AttemptEnd): void {
    if (end === 'void') return;
    if (end === 'answered') this.trust();
    else this.#doubted = true;
    this.#silences = end === 'silent' ? this.#silences + 1 : 0;
  }

  /** The receiver is presumed to answer. */
  trust(): void {
    this.#doubted = false;
  }

  /** An answer is overdue. */
  doubt(): void {
    this.#doubted = true;
  }
}
