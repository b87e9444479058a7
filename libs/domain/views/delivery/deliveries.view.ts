// View `deliveries`: one document for each subscription and event, with its attempts.
import { eventOrder } from '../../channel/event-id.ts';
import type { DeliveryEvent, DeliveryTarget } from '../../delivery/messages.ts';
import { expiryByOrder } from '../events.view.ts';
import type { Json } from '../../json.ts';
import { asJson, type View } from '../view.ts';

export type DeliveryState =
  | 'delivered'
  /** The last attempt failed; another one is due. */
  | 'failing'
  /** No further attempt is made automatically. */
  | 'parked'
  /** Somebody has given it up. */
  | 'discarded';

/** The type makes this list complete. */
const states: Readonly<Record<DeliveryState, true>> = { delivered: true, failing: true, parked: true, discarded: true };
export const deliveryStates = Object.keys(states) as readonly DeliveryState[];

export type AttemptView = {
  /** From 1. */
  readonly attempt: number;
  readonly outcome: 'delivered' | 'failed';
  /** HTTP status, when the receiver answered. */
  readonly status: number | null;
  /** Why there was no usable response, if there was none. */
  readonly failure: string | null;
  readonly message: string | null;
  /** The first 16 KiB of the response. */
  readonly answer: string | null;
  /** Epoch ms. */
  readonly startedAt: number;
  readonly durationMs: number;
  /** The replay that made the attempt. */
  readonly replayId?: string;
  /** An `AttemptTrace`. */
  readonly trace?: Json;
  /** Of a failed attempt: `SentHeaders`, `AnswerHeaders`. */
  readonly requestHeaders?: Json;
  readonly answerHeaders?: Json;
};

export type DeliveryView = {
  readonly workspace: string;
  readonly subscriptionId: string;
  readonly webhookId: string;
  readonly emitterId: string;
  readonly eventId: string;
  /** `eventOrder(eventId)`, by which all indexes sort. */
  readonly order: string;
  readonly channel: string;
  readonly webhookMessageId: string;
  readonly state: DeliveryState;
  readonly attemptCount: number;
  /** Epoch ms; null: no attempt is due. */
  readonly nextAttemptAt: number | null;
  readonly parkedReason: string | null;
  /** Epoch ms. */
  readonly updatedAt: number;
  /** In order; the newest `attemptsMax`. */
  readonly attempts: readonly AttemptView[];
};

/** More than any retry schedule has; with 16 KiB of answer and of its headers each, a document stays within 2 MiB. */
const attemptsMax = 32;

type Attempted = Extract<DeliveryEvent, { type: 'DeliveryAttempted' }>;
type DeliveryStatus = Pick<DeliveryView, 'state' | 'attemptCount' | 'nextAttemptAt' | 'parkedReason' | 'attempts'>;

function deliveryDocument(workspace: string, at: number, target: DeliveryTarget, status: DeliveryStatus): DeliveryView {
  return {
    workspace,
    subscriptionId: target.subscriptionId,
    webhookId: target.webhookId,
    emitterId: target.emitterId,
    eventId: target.eventId,
    order: eventOrder(target.eventId),
    channel: target.channel,
    webhookMessageId: target.webhookMessageId,
    state: status.state,
    attemptCount: status.attemptCount,
    nextAttemptAt: status.nextAttemptAt,
    parkedReason: status.parkedReason,
    updatedAt: at,
    attempts: status.attempts,
  };
}

function attemptOf({ data }: Attempted): AttemptView {
  return {
    attempt: data.attempt,
    outcome: data.outcome,
    status: data.status,
    failure: data.failure,
    message: data.message,
    answer: data.answer,
    startedAt: data.startedAt,
    durationMs: data.durationMs,
    ...(data.replayId === undefined ? {} : { replayId: data.replayId }),
    ...(data.trace === undefined ? {} : { trace: asJson(data.trace) }),
    ...(data.requestHeaders === undefined ? {} : { requestHeaders: asJson(data.requestHeaders) }),
    ...(data.answerHeaders === undefined ? {} : { answerHeaders: asJson(data.answerHeaders) }),
  };
}

/** An attempt that no replay made. */
const isWithoutReplay = ({ replayId }: AttemptView): boolean => replayId === undefined;

/** The kept attempts, always with the newest one that no replay made, which tells the delivery's own state. */
function newestAttempts(attempts: readonly AttemptView[]): readonly AttemptView[] {
  const latest = attempts.slice(-attemptsMax);
  const newestOwn = attempts.findLast(isWithoutReplay);
  return newestOwn === undefined || latest.includes(newestOwn) ? latest : [newestOwn, ...latest.slice(1)];
}

/** A replay changes the state only if it delivers a parked event, which is then delivered. */
function afterReplay(current: DeliveryView, record: DeliveryEvent): DeliveryView {
  if (record.type !== 'DeliveryAttempted') return current;
  const deliversParked = current.state === 'parked' && record.data.outcome === 'delivered';
  return {
    ...current,
    ...(deliversParked ? { state: 'delivered', parkedReason: null } : {}),
    updatedAt: record.at,
    attempts: newestAttempts([...current.attempts, attemptOf(record)]),
  };
}

const sample: DeliveryView = {
  workspace: 'o_0000000000000000',
  subscriptionId: 'sub_0000000000000000',
  webhookId: 'wh_0000000000000000',
  emitterId: 'dc_0000000000000000',
  eventId: '1700000000000-0',
  order: eventOrder('1700000000000-0'),
  channel: '',
  webhookMessageId: 'msg_',
  state: 'delivered',
  attemptCount: 1,
  nextAttemptAt: null,
  parkedReason: null,
  updatedAt: 1_700_000_000_000,
  attempts: [
    {
      attempt: 1,
      outcome: 'delivered',
      status: 200,
      failure: null,
      message: null,
      answer: 'ok',
      startedAt: 1_700_000_000_000,
      durationMs: 0,
      trace: { address: '127.0.0.1:443', firstByteMs: 0 },
    },
  ],
};

export const deliveriesView: View<'deliveries', DeliveryView> = {
  definition: {
    name: 'deliveries',
    sample: JSON.stringify(sample),
    indexes: {
      bySubscription: ['subscriptionId', 'state', 'order'],
      byWebhook: ['webhookId', 'state', 'order'],
      bySource: ['emitterId', 'state', 'order'],
      byWorkspace: ['workspace', 'state', 'order'],
      byTime: ['order'],
    },
    revision: 1,
  },
  topics: ['deliveries'],

  /** The same at every attempt, and no other delivery's. */
  idOf: (record) => (record.type === 'EventsFiltered' ? undefined : record.data.webhookMessageId),

  /** Most deliveries succeed at the first attempt, with no replay before it, and are then written without a read. */
  needsCurrent: ({ type, data }) =>
    type !== 'DeliveryAttempted' || data.attempt > 1 || data.replayId !== undefined || data.afterReplay === true,

  evolve(current, record) {
    if (record.type === 'EventsFiltered') return current;
    const earlierAttempts = current?.attempts ?? [];
    if (record.type === 'DeliveryReopened' || record.type === 'DeliveryDiscarded')
      return deliveryDocument(record.workspace, record.at, record.data, {
        state: record.type === 'DeliveryReopened' ? 'failing' : 'discarded',
        attemptCount: record.data.attempts,
        nextAttemptAt: record.type === 'DeliveryReopened' ? record.at : null,
        parkedReason: null,
        attempts: earlierAttempts,
      });
    if (current !== undefined && record.data.replayId !== undefined && earlierAttempts.some(isWithoutReplay))
      return afterReplay(current, record);
    // The attempt was in flight when somebody gave the delivery up.
    if (current?.state === 'discarded') return afterReplay(current, record);
    if (record.type === 'DeliveryParked') {
      return deliveryDocument(record.workspace, record.at, record.data, {
        state: 'parked',
        attemptCount: record.data.attempts,
        nextAttemptAt: null,
        parkedReason: record.data.reason,
        attempts: earlierAttempts,
      });
    }
    return deliveryDocument(record.workspace, record.at, record.data, {
      state: record.data.outcome === 'delivered' ? 'delivered' : 'failing',
      attemptCount: record.data.attempt,
      nextAttemptAt: record.data.nextAttemptAt,
      parkedReason: null,
      attempts: newestAttempts([...earlierAttempts, attemptOf(record)]),
    });
  },

  /** The event's time. */
  expiry: expiryByOrder,
};
