// The kinds of webhooks and subscriptions in a chaos run, and the promises of each.
import type { NewSubscriptionRequest, NewWebhookRequest } from '../../../libs/client/requests.ts';
import { customers } from './orders.ts';
import type { Order } from './orders.ts';
import type { Mood } from './received-orders.ts';

export interface Kind {
  readonly name: string;
  readonly mood: Mood;
  readonly settings: Omit<NewWebhookRequest, 'url'>;
  /** Settings that it gets during the run, one after another. */
  readonly changes?: readonly object[];
  readonly subscribed?: Pick<NewSubscriptionRequest, 'filter' | 'transform'>;
  /** Which orders it gets; by default all. */
  readonly isWanted?: (order: Order) => boolean;
  /** Which of them are never delivered because the transform throws; by default none. */
  readonly throws?: (order: Order) => boolean;
  /** Its receiver keeps its mood. */
  readonly isSteady?: boolean;
  /** No delivery is given up. */
  readonly isGapless?: boolean;
  /** In how many ordered lines its events wait: one, one for each customer, or 0. */
  readonly lines: number;
  readonly channels: readonly number[];
}

/** The last channel gets most orders, and only fast listeners. */
export const channels = 4;
export const bulk = channels - 1;

const schedules = [{ retry_schedule: [0] }, { retry_schedule: [1, 1] }, { retry_schedule: [] }];
const flows = [{ max_in_flight: 1 }, { rate_limit: 300 }, { max_in_flight: null, rate_limit: null }];
const byCustomer = { ordered: true, order_key: '/customer' };
/** Drops every third order and throws at every fiftieth; the version makes each text different. */
export const transformOf = (version: number): string =>
  `(event) => { if (event.n % 3 === 0) return null; if (event.n % 50 === 1) throw new Error('no'); return { body: { ...event, version: ${version} } } }`;

/** With short waits, so that events are retried, parked or given up within the run. */
export const kinds: readonly Kind[] = [
  {
    name: 'steady',
    mood: 'well',
    settings: { ordered: true },
    isSteady: true,
    isGapless: true,
    lines: 1,
    changes: [{ max_in_flight: 1 }, { timeout_ms: 10_000 }, { max_in_flight: null }],
    channels: [0, 1, 2],
  },
  {
    name: 'by customer',
    mood: 'some',
    isSteady: true,
    isGapless: true,
    lines: customers,
    settings: { ...byCustomer, retry_schedule: [0, 0, 1, 1, 1, 1] },
    changes: [{ order_key: null }, { order_key: '/customer' }],
    channels: [0, 1],
  },
  {
    name: 'ordered',
    mood: 'some',
    lines: 1,
    channels: [0, 1],
    settings: { ordered: true, timeout_ms: 1_000, retry_schedule: [0, 1] },
    changes: [{ on_exhausted: 'block' }, ...schedules, { on_exhausted: 'park' }],
  },
  {
    name: 'blocking',
    mood: 'flapping',
    isGapless: true,
    lines: 1,
    channels: [0, 2],
    settings: { ordered: true, timeout_ms: 1_000, retry_schedule: [0], on_exhausted: 'block' },
    changes: [{ retry_schedule: [0, 1] }, { retry_schedule: [] }],
  },
  {
    name: 'blocking by customer',
    mood: 'flapping',
    isGapless: true,
    lines: customers,
    channels: [1],
    settings: { ...byCustomer, timeout_ms: 1_000, retry_schedule: [0], on_exhausted: 'block' },
  },
  {
    name: 'unordered',
    mood: 'some',
    lines: 0,
    channels: [0, 1],
    settings: { ordered: false, timeout_ms: 1_000, retry_schedule: [1, 1] },
    changes: [...flows, { ordered: true }, ...schedules, { ordered: false }],
  },
  {
    name: 'once',
    mood: 'some',
    lines: 0,
    channels: [0],
    settings: { ordered: false, timeout_ms: 1_000, retry_schedule: [] },
  },
  {
    name: 'limited',
    mood: 'some',
    lines: 0,
    channels: [2],
    settings: { ordered: false, timeout_ms: 1_000, retry_schedule: [0, 1], max_in_flight: 1, rate_limit: 300 },
  },
  {
    name: 'even',
    mood: 'some',
    settings: { ordered: false, retry_schedule: [0] },
    lines: 0,
    channels: [1],
    subscribed: { filter: { even: [true] } },
    isWanted: ({ even }: Order) => even,
    changes: flows,
  },
  {
    name: 'transformed',
    mood: 'some',
    lines: 0,
    channels: [2],
    settings: { ordered: false, timeout_ms: 1_000, retry_schedule: [0] },
    subscribed: { transform: transformOf(0) },
    isWanted: ({ n }) => n % 3 !== 0,
    throws: ({ n }) => n % 3 !== 0 && n % 50 === 1,
  },
  { name: 'bulk', mood: 'some', lines: 0, channels: [bulk], settings: { ordered: false, retry_schedule: [0, 1] } },
];
