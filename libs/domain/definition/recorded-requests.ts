// Keeps the outcomes of requests with an Idempotency-Key for 24 hours: repeats get the same answer.
import type { DeployRefusal } from './deploy-refusal.ts';
import type { Repeatable, AnswerEvent, MadeBy } from './messages.ts';
import type { Decided, Millis } from '../message.ts';

/** How long an Idempotency-Key is tied to its first request (docs/api.md, "Requests"). */
export const requestTtlMs = 24 * 60 * 60 * 1000;
/** Whether a key that was used at `at` is still tied to its request. */
export const isKeyTied = (at: Millis, now: Millis): boolean => now - at < requestTtlMs;
/** The most keys that are forgotten at a time: their tombstones, of about 300 bytes each, share one append. */
const expiredKeysMax = 1_000;

/** The same words whether or not the id exists elsewhere, so that they reveal nothing about another workspace. */
export const conflictMessage =
  'This Idempotency-Key was used in the last 24 hours: for another request, or for something deleted since. ' +
  'Send the request with a new key.';

export interface RecordedRequest extends Omit<MadeBy, 'key'> {
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
export type RecordedRequests = Map<string, RecordedRequest>;

export const noRequests = (): RecordedRequests => new Map();

/** Null: no Idempotency-Key. Earlier versions derived the id from it and stored no key: then the id is the key. */
export const requestKeyOf = ({ fingerprint, requestKey }: Repeatable, id: string): string | null =>
  fingerprint === null ? null : (requestKey ?? id);

interface RequestContext {
  readonly workspace: string;
  readonly id: string;
  readonly at: Millis;
  readonly request: Repeatable;
}

/** What the same request created; `conflict`: another request used the key, or the thing is gone; undefined: new. */
export function findEarlierRequest(
  requests: RecordedRequests,
  { workspace, id, at, request }: RequestContext,
): RecordedRequest | 'conflict' | undefined {
  const key = requestKeyOf(request, id);
  const first = key === null ? undefined : requests.get(key);
  if (first === undefined || isExpired(first, at)) return undefined;
  const isSame = first.workspace === workspace && first.fingerprint === request.fingerprint;
  return isSame && (!first.gone || first.refusal !== null) ? first : 'conflict';
}

/** Records that the request was answered at `at`, the first time or again. */
export function recordRequest(
  requests: RecordedRequests,
  { workspace, id, at, request }: RequestContext,
): string | null {
  const key = requestKeyOf(request, id);
  if (key === null || request.fingerprint === null) return null;
  requests.delete(key);
  const { fingerprint } = request;
  requests.set(key, { workspace, id, fingerprint, answeredAt: at, gone: false, refusal: null });
  return key;
}

/** Like `recordRequest`, for a thing that another request has made. */
export function recordForExisting(requests: RecordedRequests, context: RequestContext): void {
  const key = recordRequest(requests, context);
  const recorded = key === null ? undefined : requests.get(key);
  if (key !== null && recorded !== undefined) requests.set(key, { ...recorded, stands: true });
}

/** Records a change of the outcome, if the key is still tied to `id`. */
export function updateRequest(
  requests: RecordedRequests,
  key: string | null,
  id: string,
  change: Partial<RecordedRequest>,
): void {
  const recorded = requestOfId(requests, key, id);
  if (key === null || recorded === undefined) return;
  if (change.answeredAt !== undefined) requests.delete(key);
  requests.set(key, { ...recorded, ...change });
}

/** Removes requests that expired by `at`, and returns the keys whose answers were kept. */
export function removeExpiredRequests(requests: RecordedRequests, at: Millis, max = expiredKeysMax): string[] {
  const removedKeys: string[] = [];
  for (const [key, recorded] of requests) {
    if (!isExpired(recorded, at) || removedKeys.length >= max) break;
    requests.delete(key);
    if (needsAnswerRecord(recorded)) removedKeys.push(key);
  }
  return removedKeys;
}

/** Restores requests from the log in any order; call `sortRequests` after the last. */
export function restoreRequest(requests: RecordedRequests, key: string, restored: RecordedRequest): void {
  const existing = requests.get(key);
  if (existing === undefined || existing.answeredAt < restored.answeredAt) requests.set(key, restored);
}

/** Restores the request that made the thing with this id. Returns its key; null: there was none, or it is forgotten. */
export function restoreMadeBy(
  requests: RecordedRequests,
  made: MadeBy | null,
  of: Pick<RecordedRequest, 'workspace' | 'id'>,
): string | null {
  if (made !== null) restoreRequest(requests, made.key, requestFromMadeBy(made, of));
  return made?.key ?? null;
}

/** Sorts the requests by time; to be called after restoring. */
export function sortRequests(requests: RecordedRequests): void {
  const sorted = [...requests].sort(([, a], [, b]) => a.answeredAt - b.answeredAt);
  requests.clear();
  for (const [key, recorded] of sorted) requests.set(key, recorded);
}

/** The request that made `id`, for its definition; null: the key is forgotten. */
export function madeByOf(requests: RecordedRequests, key: string | null, id: string): MadeBy | null {
  const recorded = requestOfId(requests, key, id);
  if (key === null || recorded === undefined) return null;
  const { fingerprint, answeredAt } = recorded;
  return { key, fingerprint, answeredAt };
}

/** The answer to store for a key that no definition holds; undefined: a definition does, or the key is forgotten. */
export function answerEventOf(requests: RecordedRequests, key: string): Decided<AnswerEvent> | undefined {
  const recorded = requests.get(key);
  if (recorded === undefined || !needsAnswerRecord(recorded)) return undefined;
  const { id, fingerprint, answeredAt, refusal, stands } = recorded;
  const data = { key, id, fingerprint, answeredAt, refusal, ...(stands === undefined ? {} : { stands }) };
  return { type: 'AnswerKept', data };
}

/** Checks the id because a forgotten key can be tied to another thing by now. */
function requestOfId(requests: RecordedRequests, key: string | null, id: string): RecordedRequest | undefined {
  const recorded = key === null ? undefined : requests.get(key);
  return recorded?.id === id ? recorded : undefined;
}

/** The request of something that exists, from its definition. */
export const requestFromMadeBy = (
  { fingerprint, answeredAt }: MadeBy,
  of: Pick<RecordedRequest, 'workspace' | 'id'>,
): RecordedRequest => ({ ...of, fingerprint, answeredAt, gone: false, refusal: null });

const needsAnswerRecord = ({ gone, stands }: RecordedRequest): boolean => gone || stands === true;

const isExpired = ({ answeredAt }: RecordedRequest, at: Millis): boolean => at - answeredAt >= requestTtlMs;
