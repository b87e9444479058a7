// Reads the progress of a subscription: its positions, the sum of their counters, and whether it is blocked.
import { timeOfEvent } from '../../../../../domain/channel/event-id.ts';
import type { FailedAttempt } from '../../../../../domain/delivery/messages.ts';
import type {
  PositionCounters,
  PositionView,
  SubscriptionView,
  WebhookView,
} from '../../../../../domain/views/index.ts';
import type { ViewBuild } from '../../../../../view-store/view-store.ts';
import type { Parts } from '../../../parts/parts.ts';
import { isInactive } from '../../deliveries/present-deliveries.ts';
import { presentSubscription } from '../subscription.presenter.ts';
import { LagReader } from './lag.ts';
import type { LagRecord, PositionRecord, SubscriptionDetailRecord } from './subscription-detail.dto.ts';
import type { SubscriptionState } from './subscription-detail.dto.ts';

/** Positions shown: a subscription to one source has one. */
const shownMax = 100;
const pageMax = 1_000;
/** Positions whose counters are added up: enough for as many sources as anybody has. */
const countedMax = 100_000;

const zeroCounters: PositionCounters = { published: 0, delivered: 0, parked: 0, filtered: 0, expired: 0, pending: 0 };

export async function subscriptionDetail(
  parts: Parts<'views' | 'ambient'>,
  subscription: SubscriptionView,
): Promise<SubscriptionDetailRecord> {
  const views = parts.views();
  const webhook = (await views.get('webhooks', subscription.listenerId))?.value as WebhookView | undefined;
  const { shown, counters, retrying } = await positionsOf(views, subscription.subscriptionId);
  const positions = await presentPositions(parts, subscription, { shown, webhook });
  const state = stateOf(webhook, isBlockedByOne(webhook) && retrying > 0);
  return { ...presentSubscription(subscription), state, counters, positions };
}

/** Whether a failing event blocks all others of its source: with an order key it blocks only its key. */
const isBlockedByOne = (webhook: WebhookView | undefined): boolean =>
  webhook?.ordered === true && webhook.orderKey === undefined;

/** The positions, each with its lag. */
export async function presentPositions(
  parts: Parts<'views' | 'ambient'>,
  subscription: SubscriptionView,
  { shown, webhook }: { readonly shown: readonly PositionView[]; readonly webhook: WebhookView | undefined },
): Promise<readonly PositionRecord[]> {
  const isOrdered = isBlockedByOne(webhook);
  const lags = new LagReader(parts.views(), subscription, parts.ambient.now());
  const positions: PositionRecord[] = [];
  for (const position of shown) {
    const isBlocked = isOrdered && position.retrying > 0;
    const shownPosition = isInactive(webhook) ? { ...position, retryAt: null } : position;
    positions.push(presentPosition(shownPosition, isBlocked, await lags.read(position, isBlocked)));
  }
  return positions;
}

interface Positions {
  readonly shown: readonly PositionView[];
  readonly counters: PositionCounters;
  readonly retrying: number;
}

async function positionsOf(views: ViewBuild, subscriptionId: string): Promise<Positions> {
  const shown: PositionView[] = [];
  let counters = zeroCounters;
  let retrying = 0;
  let after: { readonly sort: string; readonly id: string } | undefined;
  for (let count = 0; count < countedMax; count += pageMax) {
    const page = await views.find('positions', {
      index: 'bySubscription',
      equals: [subscriptionId],
      order: 'ascending',
      limit: pageMax,
      ...(after === undefined ? {} : { after }),
    });
    for (const { value, id } of page) {
      const position = value as PositionView;
      if (shown.length < shownMax) shown.push(position);
      counters = addCounters(counters, position.counters);
      retrying += position.retrying;
      after = { sort: position.emitterId, id };
    }
    if (page.length < pageMax) break;
    // Lets other requests proceed between pages, even if the views answer at once.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { shown, counters, retrying };
}

const addCounters = (a: PositionCounters, b: PositionCounters): PositionCounters => ({
  published: a.published + b.published,
  delivered: a.delivered + b.delivered,
  parked: a.parked + b.parked,
  filtered: a.filtered + b.filtered,
  expired: a.expired + b.expired,
  pending: a.pending + b.pending,
});

function stateOf(webhook: WebhookView | undefined, isBlocked: boolean): SubscriptionState {
  if (webhook?.active === false) return webhook.disabled === null ? 'paused' : 'disabled';
  return isBlocked ? 'blocked' : 'active';
}

function presentPosition(position: PositionView, isBlocked: boolean, lag: LagRecord | null): PositionRecord {
  const { emitterId, counters, eventId, retryAt, updatedAt } = position;
  const failed = position.failed as FailedAttempt | null;
  return {
    emitter_id: emitterId,
    state: isBlocked ? 'blocked' : 'active',
    sequence: counters.published,
    event_id: eventId,
    event_at_ms: eventId === null ? null : timeOfEvent(eventId),
    lag,
    counters,
    last_error: failed && {
      event_id: failed.eventId,
      status: failed.status,
      failure: failed.failure,
      at_ms: failed.at,
    },
    next_attempt_at_ms: retryAt,
    updated_at_ms: updatedAt,
  };
}
