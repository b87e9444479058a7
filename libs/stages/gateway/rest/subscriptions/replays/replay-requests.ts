// Asks delivery to start or cancel a replay: accepted once the request is on the log, shown once delivery has read it.
import { setTimeout as delay } from 'node:timers/promises';
import type { ReplayOrder, ReplayRequest } from '../../../../../domain/delivery/replay/messages.ts';
import { isEverySource } from '../../../../../domain/delivery/matching.ts';
import { partitionOf } from '../../../../../domain/flow.ts';
import { idBytes, idFromBytes } from '../../../../../domain/id.ts';
import type { Decided } from '../../../../../domain/message.ts';
import type { ReplayView, SubscriptionView } from '../../../../../domain/views/index.ts';
import { fingerprintOf } from '../../../commands/fingerprint.ts';
import { idsOfKey } from '../../../commands/ids-of-key.ts';
import { conflictMessage, isTied } from '../../../../../domain/definition/kept-requests.ts';
import type { Caller } from '../../../control/api-keys.ts';
import type { Parts } from '../../../parts/parts.ts';
import { ApiProblem, notFound, unavailable } from '../../../http/api-problem.ts';
import { problemsOf } from '../../../http/input/field-problem.ts';
import type { AskedPosition } from '../../../http/pages/position.ts';
import { isOwner } from '../../sources/source-owner.ts';
import { askedPosition } from './asked-position.ts';
import { findReplay } from './whole-replay.ts';
import type { ReplayDto } from './replays.dto.ts';
import { requestRecord } from '../../../commands/request-record.ts';

/** The first wait between looks at the views, which show a request some 5 ms after its append. */
const lookMs = 5;
const looksMsMax = 250;

/** The new replay, or the one that the same request created before. Throws ApiProblem or PortError. */
export async function requestReplay(
  parts: Parts<'secrets' | 'views' | 'log' | 'limits' | 'ambient'>,
  caller: Caller,
  subscription: SubscriptionView,
  asked: { readonly input: ReplayDto; readonly idempotencyKey: string | null },
): Promise<ReplayView> {
  const ids = replayIds(parts, caller, asked);
  const known = await earlier(parts, caller, ids);
  const [replayId, formerId] = known === undefined ? ids : [known.replayId];
  const order = { ...(await orderOf(parts, caller, subscription, asked)), replayId };
  // A replay of this key from before midnight might not be shown yet: delivery knows it.
  const former = formerId === undefined ? {} : { formerId };
  if (known === undefined) await send(parts, caller, { type: 'ReplayRequested', data: { ...order, ...former } });
  const isDry = order.dryRun === true;
  const waitMs = isDry ? parts.limits.countMs : parts.limits.viewsMs;
  const shown = await whenShown({
    waitMs,
    look: async () =>
      (await findReplay(parts, caller, replayId)) ??
      (formerId === undefined ? undefined : earlier(parts, caller, [formerId])),
    isOver: (replay) => !isDry || replay.endedAt !== null,
  });
  if (shown !== undefined && shown.fingerprint !== order.fingerprint)
    throw new ApiProblem(409, 'idempotency_conflict', conflictMessage);
  if (shown !== undefined) return shown;
  if (isDry) {
    // Nobody waits for the count any more.
    await send(parts, caller, cancelOf(order));
    throw unavailable('Counting the events takes longer than a request may: ask for a smaller range.');
  }
  return accepted(order, caller.workspace, parts.ambient.now());
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

const isRepeatable = ({ dry_run: isDry }: ReplayDto, key: string | null): key is string =>
  key !== null && isDry !== true;

/** The replay that the key has created in the last 24 hours. */
async function earlier(
  parts: Parts<'views' | 'log' | 'ambient'>,
  caller: Caller,
  ids: readonly string[],
): Promise<ReplayView | undefined> {
  for (const id of ids) {
    const known = await findReplay(parts, caller, id);
    if (known !== undefined && isTied(known.requestedAt, parts.ambient.now())) return known;
  }
  return undefined;
}

/** The replay as the views will show it once delivery has read the request. */
function accepted({ dryRun: _none, ...order }: ReplayOrder, workspace: string, requestedAt: number): ReplayView {
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
  await send(parts, caller, cancelOf(replay));
  const shown = await whenShown({
    waitMs: parts.limits.viewsMs,
    look: () => findReplay(parts, caller, replayId),
    isOver: ({ endedAt }) => endedAt !== null,
  });
  return shown ?? replay;
}

function cancelOf({ replayId, subscriptionId, emitterId }: Named): Decided<ReplayRequest> {
  return { type: 'ReplayCancelRequested', data: { replayId, subscriptionId, emitterId } };
}

type Named = Pick<ReplayOrder, 'replayId' | 'subscriptionId' | 'emitterId'>;

async function orderOf(
  parts: Parts<'secrets' | 'views' | 'log' | 'limits' | 'ambient'>,
  caller: Caller,
  { subscriptionId, eventName, ...subscription }: SubscriptionView,
  { input, idempotencyKey }: { readonly input: ReplayDto; readonly idempotencyKey: string | null },
): Promise<Omit<ReplayOrder, 'replayId'>> {
  const emitterId = await sourceOf(parts, caller, subscription.emitterId, input);
  const { from, to, only, rate, dry_run: dryRun } = input;
  const of = { emitterId, eventName };
  const positions = {
    from: await askedPosition(parts, caller, from ?? 'earliest', { ...of, field: 'from' }),
    to: await askedPosition(parts, caller, to ?? 'now', { ...of, field: 'to' }),
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
async function sourceOf(
  parts: Parts<'views'>,
  caller: Caller,
  emitterId: string,
  { emitter_id: asked, from, to }: ReplayDto,
): Promise<string> {
  const given = asked ?? undefined;
  if (!isEverySource(emitterId)) {
    if (given === undefined || given === emitterId) return emitterId;
    throw sourceProblem(`emitter_id: this subscription is to ${emitterId} only`);
  }
  if (given === undefined) {
    if (!isOfOneSource(from) && !isOfOneSource(to)) return emitterId;
    throw sourceProblem('emitter_id must name the source of an event or a sequence: the subscription is to every one');
  }
  // Events of a deleted source are kept, and a replay of every source sends them, too.
  if (!(await isOwner(parts, caller, given))) throw notFound({ field: 'emitter_id' });
  return given;
}

const sourceProblem = (message: string): ApiProblem => problemsOf([{ field: 'emitter_id', message }]);
const isOfOneSource = (position: AskedPosition | null | undefined): boolean =>
  typeof position === 'object' && position !== null && ('event_id' in position || 'sequence' in position);

async function send(parts: Parts<'log' | 'ambient'>, caller: Caller, request: Decided<ReplayRequest>): Promise<void> {
  const { ambient, log } = parts;
  const { subscriptionId, emitterId } = request.data;
  const record = requestRecord(ambient, caller, { key: subscriptionId, ...request });
  await log.request({ topic: 'requests', partition: partitionOf(emitterId, log.partitions), record });
}

interface Wait {
  readonly waitMs: number;
  readonly look: () => Promise<ReplayView | undefined>;
  readonly isOver: (replay: ReplayView) => boolean;
}

/** Undefined: the views do not show the replay in time. */
async function whenShown({ waitMs, look, isOver }: Wait): Promise<ReplayView | undefined> {
  const until = performance.now() + waitMs;
  for (let pauseMs = lookMs; ; pauseMs = Math.min(pauseMs * 2, looksMsMax)) {
    const replay = await look();
    if (replay !== undefined && isOver(replay)) return replay;
    if (performance.now() + pauseMs > until) return undefined;
    await delay(pauseMs);
  }
}
