// Makes the records of a timer: its schedule, the trigger of a tick, and the tombstone when it has ended.
import { runIdOf } from '../../domain/run/run-output.ts';
import type { Trigger } from '../../domain/source/messages.ts';
import { derivedId, timedId } from '../../domain/id.ts';
import type { Millis } from '../../domain/message.ts';
import type { MessageOn } from '../../domain/messages-of.ts';
import { timerEvent } from '../../domain/timer/timer-event.ts';
import type { ScheduleEvent } from '../../domain/timer/messages.ts';
import { chainFrom } from '../../domain/trace/chain.ts';
import type { Timer } from './timers.ts';

/** The trigger of the tick at `due`; the same tick has the same id, whoever requests it. */
export function triggerOf({ sourceId, workspace, revision, schedule }: Timer, due: Millis, at: Millis): Trigger {
  const id = tickId({ sourceId, revision }, due);
  const data = { sourceId, kind: 'timer', revision, event: timerEvent(schedule, due) } as const;
  const envelope = { version: 1, key: sourceId, at, workspace, ...chainFrom(id, 'scheduler') };
  return { id, type: 'TriggerRequested', ...envelope, data };
}

/** The id of the run that a tick starts. */
export const runOfTick = (timer: Timer, due: Millis): string => runIdOf({ id: tickId(timer, due) });

const tickId = ({ sourceId, revision }: Pick<Timer, 'sourceId' | 'revision'>, due: Millis): string =>
  timedId(derivedId('req', 'timer', sourceId, revision, due), due);

/** The timer's current schedule. */
export function scheduleRecord(timer: Timer, at: Millis): ScheduleEvent {
  const { sourceId, schedule, nextDue, lastDue, waitsFor } = timer;
  const state = [nextDue, waitsFor ?? ''];
  return { ...envelope(timer, at, ...state), data: { sourceId, schedule, nextDue, lastDue, waitsFor } };
}

export const scheduleEnded = (timer: Pick<Timer, 'sourceId' | 'workspace'>, at: Millis): MessageOn<'schedules'> => ({
  ...envelope(timer, at),
  data: undefined,
});

function envelope(
  { sourceId, workspace }: Pick<Timer, 'sourceId' | 'workspace'>,
  at: Millis,
  ...state: readonly (string | number)[]
) {
  const id = derivedId('rec', 'schedule', sourceId, at, ...state);
  const type = 'TimerScheduled' as const;
  return { id, type, version: 1, key: sourceId, at, workspace, ...chainFrom(id, 'scheduler') };
}
