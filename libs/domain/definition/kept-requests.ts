// Keeps the outcomes of requests with an Idempotency-Key for 24 hours: repeats get the same answer.
import type { DeployRefusal } from './deploy-refusal.ts';
import type { Repeatable, AnswerEvent, MadeBy } from './messages.ts';
import type { Decided, Millis } from '../message.ts';

/** How long an Idempotency-Key is tied to its first request (docs/api.md, "Requests"). */
export const requestKeptMs = 24 * 60 * 60 * 1000;
/** Whether a key that was used at `at` is still tied to its request. */
export const isTied = (at: Millis, now: Millis): boolean => now - at < requestKeptMs;
/** The most keys that are forgotten at a time: their tombstones, of about 300 bytes each, share one append. */
const forgottenMax = 1_000;

/** The same words whether or not the id exists elsewhere, so that they reveal nothing about another workspace. */
export const conflictMessage =
  'This Idempotency-Key was used in the last 24 hours: for another request, or for something deleted since. ' +
  'Send the request with a new key.';

export interface KeptRequest extends Omit<MadeBy, 'key'> {
  readonly workspace: string;
  /** The id of the thing that the request created. */
  readonly id: string;
  /** The created thing was deleted, or its deploy refused. */
  readonly gone: boolean;
  /** The refusal that a repeat gets again. */
  readonly refusal: DeployRefusal | null;
  /** The thing exists and was made by another request, so its definition does not have this key. */
  readonly stands?: boolean;
}

/** By key, oldest answer first. */
export type Requests = Map<string, KeptRequest>;

export const noRequests = (): Requests => new Map();

/** Null: no Idempotency-Key. Earlier versions derived the id from it and stored no key: then the id is the key. */
export const requestKeyOf = ({ fingerprint, requestKey }: Repeatable, id: string): string | null =>
  fingerprint === null ? null : (requestKey ?? id);

interface Asked {
  readonly workspace: string;
  readonly id: string;
  readonly at: Millis;
  readonly request: Repeatable;
}

/** What the same request created; `conflict`: another request used the key, or the thing is gone; undefined: new. */
export function earlierThan(
  requests: Requests,
  { workspace, id, at, request }: Asked,
): KeptRequest | 'conflict' | undefined {
  const key = requestKeyOf(request, id);
  const first = key === null ? undefined : requests.get(key);
  if (first === undefined || isForgotten(first, at)) return undefined;
  const isSame = first.workspace === workspace && first.fingerprint === request.fingerprint;
  return isSame && (!first.gone || first.refusal !== null) ? first : 'conflict';
}

/** Records that the request was answered at `at`, the first time or again. */
export function keepRequest(requests: Requests, { workspace, id, at, request }: Asked): string | null {
  const key = requestKeyOf(request, id);
  if (key === null || request.fingerprint === null) return null;
  requests.delete(key);
  const { fingerprint } = request;
  requests.set(key, { workspace, id, fingerprint, answeredAt: at, gone: false, refusal: null });
  return key;
}

/** Like `keepRequest`, for a thing that another request has made. */
export function keepStanding(requests: Requests, asked: Asked): void {
  const key = keepRequest(requests, asked);
  const kept = key === null ? undefined : requests.get(key);
  if (key !== null && kept !== undefined) requests.set(key, { ...kept, stands: true });
}

/** Records a change of the outcome, if the key is still tied to `id`. */
export function answerRequest(requests: Requests, key: string | null, id: string, change: Partial<KeptRequest>): void {
  const kept = ofId(requests, key, id);
  if (key === null || kept === undefined) return;
  if (change.answeredAt !== undefined) requests.delete(key);
  requests.set(key, { ...kept, ...change });
}

/** Removes requests that expired by `at`, and returns the keys whose answers were kept. */
export function forgetRequests(requests: Requests, at: Millis, max = forgottenMax): string[] {
  const gone: string[] = [];
  for (const [key, kept] of requests) {
    if (!isForgotten(kept, at) || gone.length >= max) break;
    requests.delete(key);
    if (isAnswer(kept)) gone.push(key);
  }
  return gone;
}

/** Restores requests from the log in any order; call `inOrder` after the last. */
export function restoreRequest(requests: Requests, key: string, told: KeptRequest): void {
  const known = requests.get(key);
  if (known === undefined || known.answeredAt < told.answeredAt) requests.set(key, told);
}

/** Restores the request that made the thing with this id. Returns its key; null: there was none, or it is forgotten. */
export function restoreMade(
  requests: Requests,
  made: MadeBy | null,
  of: Pick<KeptRequest, 'workspace' | 'id'>,
): string | null {
  if (made !== null) restoreRequest(requests, made.key, standingRequest(made, of));
  return made?.key ?? null;
}

/** Sorts the requests by time; to be called after restoring. */
export function inOrder(requests: Requests): void {
  const sorted = [...requests].sort(([, a], [, b]) => a.answeredAt - b.answeredAt);
  requests.clear();
  for (const [key, kept] of sorted) requests.set(key, kept);
}

/** The request that made `id`, for its definition; null: the key is forgotten. */
export function madeBy(requests: Requests, key: string | null, id: string): MadeBy | null {
  const kept = ofId(requests, key, id);
  if (key === null || kept === undefined) return null;
  const { fingerprint, answeredAt } = kept;
  return { key, fingerprint, answeredAt };
}

/** The answer to store for a key that no definition holds; undefined: a definition does, or the key is forgotten. */
export function answerOf(requests: Requests, key: string): Decided<AnswerEvent> | undefined {
  const kept = requests.get(key);
  if (kept === undefined || !isAnswer(kept)) return undefined;
  const { id, fingerprint, answeredAt, refusal, stands } = kept;
  const standing = stands === undefined ? {} : { stands };
  return { type: 'AnswerKept', data: { key, id, fingerprint, answeredAt, refusal, ...standing } };
}

/** Checks the id because a forgotten key can be tied to another thing by now. */
function ofId(requests: Requests, key: string | null, id: string): KeptRequest | undefined {
  const kept = key === null ? undefined : requests.get(key);
  return kept?.id === id ? kept : undefined;
}

/** The request of something that exists, from its definition. */
export const standingRequest = (
  { fingerprint, answeredAt }: MadeBy,
  of: Pick<KeptRequest, 'workspace' | 'id'>,
): KeptRequest => ({ ...of, fingerprint, answeredAt, gone: false, refusal: null });

const isAnswer = ({ gone, stands }: KeptRequest): boolean => gone || stands === true;

const isForgotten = ({ answeredAt }: KeptRequest, at: Millis): boolean => at - answeredAt >= requestKeptMs;
