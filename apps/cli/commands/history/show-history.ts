// Formats a record of history as one line: time, type, subject, actor.
import type { HistoryRecord } from '../../../../libs/client/index.ts';
import { plainLine } from '../../output/plain-text.ts';
import type { Style } from '../../output/style.ts';
import { formatLocalTime } from '../../output/times.ts';

export function showHistoryRecord(record: HistoryRecord, style: Style): string {
  const { time, type, partitionkey, actor, correlationid } = record;
  const by = actor === undefined ? [] : [`by ${plainLine(actor)}`];
  return [
    style.faint(formatLocalTime(Date.parse(time))),
    style.strong(plainLine(type)),
    style.name(plainLine(partitionkey)),
    ...by,
    style.faint(plainLine(correlationid)),
  ].join('  ');
}
