// Tells a repeated creation from a conflict when its id exists already.
import type { Millis } from '../message.ts';
import type { Repeatable } from './messages.ts';

/** How long an Idempotency-Key stands for its first request (architecture.md, Answers). */
const repeatWindowMs = 24 * 60 * 60 * 1000;

/** What the creation that came first left behind. */
export interface Creation extends Repeatable {
  readonly workspace: string;
  readonly at: Millis;
  /** What it made was deleted since: a repeat has nothing to be answered with. */
  readonly gone: boolean;
}

/** Whether `request`, at `at`, is the same creation sent again. Never true across workspaces. */
export function isRepeat(first: Creation, request: Repeatable & { readonly workspace: string }, at: Millis): boolean {
  return (
    first.workspace === request.workspace &&
    request.fingerprint !== null &&
    first.fingerprint === request.fingerprint &&
    at - first.at < repeatWindowMs &&
    !first.gone
  );
}
