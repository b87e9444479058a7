// Restores a partition's timers: the definitions say which exist, `schedules` says when they are due.
import type { Millis } from '../../domain/message.ts';
import type { MessageOn, RecordOn } from '../../domain/messages-of.ts';
import type { SourceDefinition } from '../../domain/source/definition/messages.ts';
import { firstDue, limitNextDue } from '../../domain/timer/due.ts';
import type { ScheduleEvent, TimerSchedule } from '../../domain/timer/messages.ts';
import { isSameSchedule } from '../../domain/timer/schedule.ts';
import type { CheckedLog } from '../loop/reading/checked-log.ts';
import { isTombstone, readDefinitions } from '../loop/restoring/definitions.ts';
import { forEachRecord } from '../loop/restoring/for-each-record.ts';
import type { TaskContext } from '../loop/stage.ts';
import { Timers } from './timers.ts';
import type { Timer } from './timers.ts';

/** A source's timer according to its definition. */
export interface DefinedTimer {
  readonly sourceId: string;
  readonly workspace: string;
  readonly revision: number;
  readonly schedule: TimerSchedule;
  /** When the timer began: its first tick is one interval later. */
  readonly at: Millis;
  /** While true, the timer does not tick, but keeps the rhythm of its due times. */
  readonly isPaused: boolean;
}

export interface Restored {
  readonly timers: Timers;
  /** Timers whose current schedule is not on the log yet. */
  readonly changed: readonly Timer[];
  /** Schedules whose timer no longer exists. */
  readonly ended: readonly Pick<Timer, 'sourceId' | 'workspace'>[];
  /** The offset at which reading `sources` continues. */
  readonly next: number;
}

/** Undefined: the source has no timer or is inactive. Until an update has ended, the timer from before it counts. */
export function definedTimer(record: MessageOn<'sources'>): DefinedTimer | undefined {
  if (record.type !== 'SourceDefined' || isTombstone(record)) return undefined;
  const { workspace, at, data } = record;
  const { sourceId, status, active, update } = data;
  if (status === 'deploying' || active === false) return undefined;
  const isSwapped = status === 'updating' && update?.swapped === 'swapped';
  const { revision, timer } = (isSwapped ? update.other : null) ?? data;
  if (timer === undefined || timer === null) return undefined;
  return { sourceId, workspace, revision, schedule: timer, at, isPaused: isPausedDuring(data) };
}

/**
 * A timer does not tick while its source is being deleted or made inactive, nor between the swap and the end of an
 * update, when the new code may have no such timer. If that process is refused, the ticks missed meanwhile become one.
 */
const isPausedDuring = ({ status, update }: SourceDefinition['data']): boolean =>
  status === 'deleting' ||
  (status === 'updating' && update !== undefined && (!update.active || update.swapped !== 'not_yet'));

/** `now`: a clock that was ahead at the deploy does not delay the first tick. */
export const newTimer = ({ schedule, at, ...defined }: DefinedTimer, now: Millis): Timer => ({
  ...defined,
  schedule,
  nextDue: limitNextDue(schedule, firstDue(schedule, at), now),
  lastDue: null,
  waitsFor: null,
});

export async function restore({ log, partition, tolerate }: TaskContext, now: Millis): Promise<Restored> {
  const defined = new Map<string, DefinedTimer>();
  const take = (record: RecordOn<'sources'>): void => {
    const timer = definedTimer(record);
    if (timer === undefined) defined.delete(record.key);
    else defined.set(record.key, timer);
  };
  const next = await readDefinitions(log, { topic: 'sources', partition }, { take });
  const stored = await readSchedules(log, partition, (record, take) => tolerate(record, take));
  const timers = new Timers();
  const changed: Timer[] = [];
  for (const definition of defined.values()) {
    const timer = timerOf(definition, stored.get(definition.sourceId), now);
    timers.set(timer);
    if (timer.nextDue !== stored.get(definition.sourceId)?.data.nextDue) changed.push(timer);
  }
  const ended = [...stored.values()]
    .filter(({ key }) => !defined.has(key))
    .map(({ key, workspace }) => ({ sourceId: key, workspace }));
  return { timers, changed, ended, next };
}

function timerOf(definition: DefinedTimer, stored: ScheduleEvent | undefined, now: Millis): Timer {
  const { schedule } = definition;
  if (stored === undefined || !isSameSchedule(stored.data.schedule, schedule)) return newTimer(definition, now);
  const { lastDue, waitsFor } = stored.data;
  // Computing an expression's next time takes 0.2 ms, and a start can have thousands: only if the clock was ahead.
  const canKeepDue = 'cron' in schedule && stored.at <= now;
  const nextDue = canKeepDue ? stored.data.nextDue : limitNextDue(schedule, stored.data.nextDue, now);
  const { sourceId, workspace, revision, isPaused } = definition;
  return { sourceId, workspace, revision, schedule, nextDue, lastDue, waitsFor, isPaused };
}

async function readSchedules(
  log: Pick<CheckedLog, 'read'>,
  partition: number,
  tolerate: (record: RecordOn<'schedules'>, take: () => void) => void,
): Promise<Map<string, ScheduleEvent>> {
  const stored = new Map<string, ScheduleEvent>();
  await forEachRecord(log, { topic: 'schedules', partition }, (record) =>
    tolerate(record, () => {
      if (isTombstone(record)) stored.delete(record.key);
      else stored.set(record.key, record);
    }),
  );
  return stored;
}
