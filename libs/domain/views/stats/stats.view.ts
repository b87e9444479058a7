// Views `eventStats`, `runStats` and `deliveryStats`: counts by minute, a document for each hour and partition.
import { timeOfEvent } from '../../channel/event-id.ts';
import type { Millis } from '../../message.ts';
import type { RecordOn } from '../../messages-of.ts';
import { isCheckOfCode } from '../../run/check-of-code.ts';
import type { Passing, View, ViewValue } from '../view.ts';

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
export const passingByHour: Passing<ViewValue & { readonly hour: Millis }> = {
  index: 'byTime',
  placeOf: (at) => at,
  valueOf: ({ hour }) => hour,
  timeOf: ({ hour }) => hour,
};

export const hourOf = (at: Millis): Millis => Math.floor(at / hourMs) * hourMs;

/** The sum of two counts. */
const added = (one: number, other: number): number => one + other;
const joined: { readonly [Name in keyof Required<MinuteCounts>]: (one: number, other: number) => number } = {
  events: added,
  runs: added,
  failedRuns: added,
  attempts: added,
  failedAttempts: added,
  attemptMs: added,
  slowestMs: Math.max,
  firstAttempts: added,
  lagMs: added,
  longestLagMs: Math.max,
  parked: added,
};
const names = Object.keys(joined) as readonly (keyof MinuteCounts)[];

/** In the order of `names`, so that equal counts are equal bytes. */
export function sumOf(one: MinuteCounts, other: MinuteCounts): MinuteCounts {
  const sum: CountSum = {};
  for (const name of names) {
    const count = joined[name](one[name] ?? 0, other[name] ?? 0);
    if (count > 0) sum[name] = count;
  }
  return sum;
}

export type CountSum = { -readonly [Name in keyof MinuteCounts]: number };

/** Like `sumOf`, but in place: a chart adds up some hundred thousand minutes. */
export function addTo(sum: CountSum, counts: MinuteCounts): void {
  for (const name of Object.keys(counts) as (keyof MinuteCounts)[])
    sum[name] = joined[name](sum[name] ?? 0, counts[name] ?? 0);
}

/** The minute of a record and the counts that it adds; undefined: the record is not counted. */
type Counted = readonly [Millis, MinuteCounts] | undefined;

export function withCounted(
  current: Pick<StatsView, 'minutes'> | undefined,
  [at, counts]: NonNullable<Counted>,
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
  countedBy: (record: RecordOn<T>) => Counted,
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
      const [at] = countedBy(record) ?? [];
      return at === undefined ? undefined : `${record.workspace}/${record.partition}/${hourOf(at)}`;
    },

    needsCurrent: () => true,

    evolve(current, record) {
      const counted = countedBy(record);
      if (counted === undefined) return current;
      return { workspace: record.workspace, ...withCounted(current, counted) };
    },

    passing: passingByHour,
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
    isCheckOfCode(kind) ? undefined : [startedAt, { runs: 1, ...(outcome === 'succeeded' ? {} : { failedRuns: 1 }) }],
);

export const attemptsExample: MinuteCounts = {
  attempts: 10,
  failedAttempts: 1,
  attemptMs: 100,
  slowestMs: 20,
  parked: 1,
};

type Attempted = Extract<RecordOn<'deliveries'>, { type: 'DeliveryAttempted' }>['data'];

export function countedAttempt({ type, data, at }: RecordOn<'deliveries'>): Counted {
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
  countedAttempt,
);

export const statsViews = [eventStatsView, runStatsView, deliveryStatsView] as const;
