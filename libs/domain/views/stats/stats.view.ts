// Views `eventStats`, `runStats` and `deliveryStats`: counts by minute, a document for each hour and partition.
import { timeOfEvent } from '../../channel/event-id.ts';
import type { Millis } from '../../message.ts';
import type { RecordOn } from '../../messages-of.ts';
import { isCodeCheck } from '../../run/code-check.ts';
import type { Expiry, View, ViewValue } from '../view.ts';

export const minuteMs = 60_000;
export const hourMs = 3_600_000;

/** Names in the documents are short: each minute repeats them. */
export type MinuteCounts = {
  /** Events of ordinary channels. */
  readonly events?: number;
  readonly runs?: number;
  readonly failedRuns?: number;
  /** Attempts of deliveries, those of replays too. */
  readonly attempts?: number;
  readonly failedAttempts?: number;
  /** Of all attempts together. */
  readonly attemptMs?: number;
  /** Of the slowest attempt. */
  readonly slowestMs?: number;
  /** Of these attempts: first ones of events, not of replays. */
  readonly firstAttempts?: number;
  /** The sum of the times from events to these first attempts, and the longest of them. */
  readonly lagMs?: number;
  readonly longestLagMs?: number;
  readonly parked?: number;
};

export type StatsView = {
  readonly workspace: string;
  /** Epoch ms of the hour's beginning. */
  readonly hour: Millis;
  /** By the minute of the hour; minutes without anything are left out. */
  readonly minutes: { readonly [minute: string]: MinuteCounts };
};

/**
 * A document is removed as a whole once retention has reached its hour: a rebuild from a part of its records would
 * count less.
 */
export const expiryByHour: Expiry<ViewValue & { readonly hour: Millis }> = {
  index: 'byTime',
  fieldValueAt: (at) => at,
  valueOf: ({ hour }) => hour,
  timeOf: ({ hour }) => hour,
};

export const hourOf = (at: Millis): Millis => Math.floor(at / hourMs) * hourMs;

/** The sum of two counts. */
const add = (one: number, other: number): number => one + other;
const combineBy: { readonly [Name in keyof Required<MinuteCounts>]: (one: number, other: number) => number } = {
  events: add,
  runs: add,
  failedRuns: add,
  attempts: add,
  failedAttempts: add,
  attemptMs: add,
  slowestMs: Math.max,
  firstAttempts: add,
  lagMs: add,
  longestLagMs: Math.max,
  parked: add,
};
const countNames = Object.keys(combineBy) as readonly (keyof MinuteCounts)[];

/** In the order of `countNames`, so that equal counts are equal bytes. */
export function sumOf(one: MinuteCounts, other: MinuteCounts): MinuteCounts {
  const sum: CountSum = {};
  for (const name of countNames) {
    const count = combineBy[name](one[name] ?? 0, other[name] ?? 0);
    if (count > 0) sum[name] = count;
  }
  return sum;
}

export type CountSum = { -readonly [Name in keyof MinuteCounts]: number };

/** Like `sumOf`, but in place: a chart adds up some hundred thousand minutes. */
export function addTo(sum: CountSum, counts: MinuteCounts): void {
  for (const name of Object.keys(counts) as (keyof MinuteCounts)[])
    sum[name] = combineBy[name](sum[name] ?? 0, counts[name] ?? 0);
}

/** The minute of a record and the counts that it adds; undefined: the record is not counted. */
type CountedMinute = readonly [Millis, MinuteCounts] | undefined;

export function addCounts(
  current: Pick<StatsView, 'minutes'> | undefined,
  [at, counts]: NonNullable<CountedMinute>,
): Pick<StatsView, 'hour' | 'minutes'> {
  const hour = hourOf(at);
  const minute = String(Math.floor((at - hour) / minuteMs));
  const minutes = { ...current?.minutes, [minute]: sumOf(current?.minutes[minute] ?? {}, counts) };
  return { hour, minutes };
}

interface StatsOf<T extends 'channels' | 'runs' | 'deliveries'> {
  readonly name: string;
  readonly topic: T;
  readonly example: MinuteCounts;
  /** Of its definition. */
  readonly revision?: number;
}

function statsView<T extends 'channels' | 'runs' | 'deliveries'>(
  { name, topic, example, revision }: StatsOf<T>,
  countsOf: (record: RecordOn<T>) => CountedMinute,
): View<T, StatsView> {
  const sample: StatsView = { workspace: 'o_0000000000000000', hour: 1_700_000_000_000, minutes: { 0: example } };
  return {
    definition: {
      name,
      sample: JSON.stringify(sample),
      indexes: { byWorkspace: ['workspace', 'hour'], byTime: ['hour'] },
      ...(revision === undefined ? {} : { revision }),
    },
    topics: [topic],

    idOf(record) {
      const [at] = countsOf(record) ?? [];
      return at === undefined ? undefined : `${record.workspace}/${record.partition}/${hourOf(at)}`;
    },

    needsCurrent: () => true,

    evolve(current, record) {
      const counted = countsOf(record);
      if (counted === undefined) return current;
      return { workspace: record.workspace, ...addCounts(current, counted) };
    },

    expiry: expiryByHour,
  };
}

const eventStatsView = statsView(
  { name: 'eventStats', topic: 'channels', example: { events: 10 } },
  ({ type, data }) =>
    type !== 'EventEmitted' || data.channel.startsWith('$') ? undefined : [timeOfEvent(data.eventId), { events: 1 }],
);

const runStatsView = statsView(
  { name: 'runStats', topic: 'runs', example: { runs: 10, failedRuns: 1 }, revision: 1 },
  ({ data: { kind, startedAt, outcome } }) =>
    isCodeCheck(kind) ? undefined : [startedAt, { runs: 1, ...(outcome === 'succeeded' ? {} : { failedRuns: 1 }) }],
);

export const attemptsExample: MinuteCounts = {
  attempts: 10,
  failedAttempts: 1,
  attemptMs: 100,
  slowestMs: 20,
  parked: 1,
};

type Attempted = Extract<RecordOn<'deliveries'>, { type: 'DeliveryAttempted' }>['data'];

export function attemptCounts({ type, data, at }: RecordOn<'deliveries'>): CountedMinute {
  if (type === 'DeliveryParked') return data.replayId === undefined ? [at, { parked: 1 }] : undefined;
  if (type !== 'DeliveryAttempted') return undefined;
  const attemptMs = Math.max(0, Math.round(data.durationMs));
  const failed = data.outcome === 'delivered' ? {} : { failedAttempts: 1 };
  return [at, { attempts: 1, ...failed, attemptMs, slowestMs: attemptMs, ...lagOf(data) }];
}

/** How long the event waited for its first attempt. */
function lagOf({ attempt, replayId, startedAt, eventId }: Attempted): MinuteCounts {
  if (attempt !== 1 || replayId !== undefined) return {};
  const lagMs = Math.max(0, startedAt - timeOfEvent(eventId));
  return { firstAttempts: 1, lagMs, longestLagMs: lagMs };
}

const deliveryStatsView = statsView(
  { name: 'deliveryStats', topic: 'deliveries', example: attemptsExample },
  attemptCounts,
);

export const statsViews = [eventStatsView, runStatsView, deliveryStatsView] as const;
