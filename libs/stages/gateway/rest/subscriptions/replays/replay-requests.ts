// Asks delivery to start or cancel a replay: accepted once the request is on the log, shown once delivery has read it.
import { setTimeout as delay } from 'node:timers/promises';
import type { ReplayParams, ReplayRequest } from '../../../../../domain/delivery/replay/messages.ts';
import { isEverySource } from '../../../../../domain/delivery/matching.ts';
import { partitionOf } from '../../../../../domain/flow.ts';
import { idBytes, idFromBytes } from '../../../../../domain/id.ts';
import type { Decided } from '../../../../../domain/message.ts';
import type { ReplayView, SubscriptionView } from '../../../../../domain/views/index.ts';
import { fingerprintOf } from '../../../commands/fingerprint.ts';
import { idsOfKey } from '../../../commands/ids-of-key.ts';
import { conflictMessage, isKeyTied } from '../../../../../domain/definition/recorded-requests.ts';
import type { Caller } from '../../../control/api-keys.ts';
import type { Parts } from '../../../parts/parts.ts';
import { ApiProblem, notFound, unavailable } from '../../../http/api-problem.ts';
import { problemsOf } from '../../../http/input/field-problem.ts';
import type { PositionInput } from '../../../http/pages/position.ts';
import { isOwner } from '../../sources/source-owner.ts';
import { resolvePosition } from './resolve-position.ts';
import { findReplay } from './replay-parts.ts';
import type { ReplayDto } from './replays.dto.ts';
import { requestRecord } from '../../../commands/request-record.ts';

/** The first wait between looks at the views, which show a request some 5 ms after its append. */
const firstPollMs = 5;
const pollMsMax = 250;

/** The new replay, or the one that the same request created before. Throws ApiProblem or PortError. */
export async function requestReplay(
  parts: Parts<'secrets' | 'views' | 'log' | 'limits' | 'ambient'>,
  caller: Caller,
  subscription: SubscriptionView,
  replayInput: { readonly input: ReplayDto; readonly idempotencyKey: string | null },
): Promise<ReplayView> {
  const ids = replayIds(parts, caller, replayInput);
  const existing = await findEarlier(parts, caller, ids);
  const [replayId, formerId] = existing === undefined ? ids : [existing.replayId];
  const order = { ...(await orderOf(parts, caller, subscription, replayInput)), replayId };
  // A replay of this key from before midnight might not be shown yet: delivery knows it.
  const former = formerId === undefined ? {} : { formerId };
  if (existing === undefined)
    await sendRequest(parts, caller, { type: 'ReplayRequested', data: { ...order, ...former } });
  const isDryRun = order.dryRun === true;
  const waitMs = isDryRun ? parts.limits.countMs : parts.limits.viewsMs;
  const shownReplay = await waitForReplay({
    waitMs,
    read: async () =>
      (await findReplay(parts, caller, replayId)) ??
      (formerId === undefined ? undefined : findEarlier(parts, caller, [formerId])),
    isDone: (replay) => !isDryRun || replay.endedAt !== null,
  });
  if (shownReplay !== undefined && shownReplay.fingerprint !== order.fingerprint)
    throw new ApiProblem(409, 'idempotency_conflict', conflictMessage);
  if (shownReplay !== undefined) return shownReplay;
  if (isDryRun) {
    // Nobody waits for the count any more.
    await sendRequest(parts, caller, cancellationOf(order));
    throw unavailable('Counting the events takes longer than a request may: ask for a smaller range.');
  }
  return acceptedReplay(order, caller.workspace, parts.ambient.now());
}

/** The id for a new replay first, then those under which the same request can have created one before. */
function replayIds(
  { ambient }: Parts<'ambient'>,
  caller: Caller,
  { input, idempotencyKey }: { readonly input: ReplayDto; readonly idempotencyKey: string | null },
): readonly [string, ...string[]] {
  return isRepeatable(input, idempotencyKey)
    ? idsOfKey('rpl', { workspace: caller.workspace, key: idempotencyKey, now: ambient.now() })
    : [idFromBytes('rpl', ambient.randomBytes(idBytes))];
}

const isRepeatable = ({ dry_run: isDryRun }: ReplayDto, key: string | null): key is string =>
  key !== null && isDryRun !== true;

/** The replay that the key has created in the last 24 hours. */
async function findEarlier(
  parts: Parts<'views' | 'log' | 'ambient'>,
  caller: Caller,
  ids: readonly string[],
): Promise<ReplayView | undefined> {
  for (const id of ids) {
    const existing = await findReplay(parts, caller, id);
    if (existing !== undefined && isKeyTied(existing.requestedAt, parts.ambient.now())) return existing;
  }
  return undefined;
}

/** The replay as the views will show it once delivery has read the request. */
function acceptedReplay(
  { dryRun: _dryRun, ...order }: ReplayParams,
  workspace: string,
  requestedAt: number,
): ReplayView {
  const { from, to, subscriptionId } = order;
  return {
    ...order,
    workspace,
    from: { ...from },
    to: { ...to },
    listedUnder: subscriptionId,
    state: 'pending',
    reason: null,
    requestedAt,
    endedAt: null,
    total: null,
    first: null,
    last: null,
    delivered: 0,
    parked: 0,
    passed: 0,
  };
}

export async function cancelReplay(
  parts: Parts<'views' | 'log' | 'limits' | 'ambient'>,
  caller: Caller,
  replay: ReplayView,
): Promise<ReplayView> {
  const { replayId } = replay;
  if (replay.endedAt !== null) return replay;
  await sendRequest(parts, caller, cancellationOf(replay));
  const shownReplay = await waitForReplay({
    waitMs: parts.limits.viewsMs,
    read: () => findReplay(parts, caller, replayId),
    isDone: ({ endedAt }) => endedAt !== null,
  });
  return shownReplay ?? replay;
}

function cancellationOf({ replayId, subscriptionId, emitterId }: ReplayIdentity): Decided<ReplayRequest> {
  return { type: 'ReplayCancelRequested', data: { replayId, subscriptionId, emitterId } };
}

type ReplayIdentity = Pick<ReplayParams, 'replayId' | 'subscriptionId' | 'emitterId'>;

async function orderOf(
  parts: Parts<'secrets' | 'views' | 'log' | 'limits' | 'ambient'>,
  caller: Caller,
  { subscriptionId, eventName, ...subscription }: SubscriptionView,
  { input, idempotencyKey }: { readonly input: ReplayDto; readonly idempotencyKey: string | null },
): Promise<Omit<ReplayParams, 'replayId'>> {
  const emitterId = await resolveSource(parts, caller, subscription.emitterId, input);
  const { from, to, only, rate, dry_run: dryRun } = input;
  const context = { emitterId, eventName };
  const positions = {
    from: await resolvePosition(parts, caller, from ?? 'earliest', { ...context, field: 'from' }),
    to: await resolvePosition(parts, caller, to ?? 'now', { ...context, field: 'to' }),
  };
  const request = { subscriptionId, emitterId, from, to, only: only ?? 'all', rate: rate ?? null, dryRun };
  const dataKey = parts.secrets.dataKey(caller.workspace);
  return {
    subscriptionId,
    emitterId,
    ...positions,
    only: request.only,
    rate: request.rate,
    fingerprint: isRepeatable(input, idempotencyKey) ? fingerprintOf(dataKey, 'rpl', request) : null,
    ...(dryRun === true ? { dryRun } : {}),
  };
}

/** Without `emitter_id`, the replay of a subscription to every source is of every source. */
async function resolveSource(
  parts: Parts<'views'>,
  caller: Caller,
  emitterId: string,
  { emitter_id: requestedId, from, to }: ReplayDto,
): Promise<string> {
  const requested = requestedId ?? undefined;
  if (!isEverySource(emitterId)) {
    if (requested === undefined || requested === emitterId) return emitterId;
    throw sourceProblem(`emitter_id: this subscription is to ${emitterId} only`);
  }
  if (requested === undefined) {
    if (!isOfOneSource(from) && !isOfOneSource(to)) return emitterId;
    throw sourceProblem('emitter_id must name the source of an event or a sequence: the subscription is to every one');
  }
  // Events of a deleted source are kept, and a replay of every source sends them, too.
  if (!(await isOwner(parts, caller, requested))) throw notFound({ field: 'emitter_id' });
  return requested;
}

const sourceProblem = (message: string): ApiProblem => problemsOf([{ field: 'emitter_id', message }]);
const isOfOneSource = (position: PositionInput | null | undefined): boolean =>
  typeof position === 'object' && position !== null && ('event_id' in position || 'sequence' in position);

async function sendRequest(
  parts: Parts<'log' | 'ambient'>,
  caller: Caller,
  request: Decided<ReplayRequest>,
): Promise<void> {
  const { ambient, log } = parts;
  const { subscriptionId, emitterId } = request.data;
  const record = requestRecord(ambient, caller, { key: subscriptionId, ...request });
  await log.request({ topic: 'requests', partition: partitionOf(emitterId, log.partitions), record });
}

interface ReplayWait {
  readonly waitMs: number;
  readonly read: () => Promise<ReplayView | undefined>;
  readonly isDone: (replay: ReplayView) => boolean;
}

/** Undefined: the views do not show the replay in time. */
async function waitForReplay({ waitMs, read, isDone }: ReplayWait): Promise<ReplayView | undefined> {
  const deadline = performance.now() + waitMs;
  for (let pauseMs = firstPollMs; ; pauseMs = Math.min(pauseMs * 2, pollMsMax)) {
    const replay = await read();
    if (replay !== undefined && isDone(replay)) return replay;
    if (performance.now() + pauseMs > deadline) return undefined;
    await delay(pauseMs);
  }
}
