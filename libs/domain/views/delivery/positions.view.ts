// View `positions`: how far each subscription is with each source, and the counts of its events by outcome.
import { expiredOf, finishedOf, fromCursorMoved, type CursorPosition } from '../../delivery/cursor.ts';
import type { CursorReport } from '../../delivery/messages.ts';
import type { Json } from '../../json.ts';
import type { Millis } from '../../message.ts';
import type { MessageOn } from '../../messages-of.ts';
import { asJson, type View } from '../view.ts';

/** `published` is the number of the newest event that has one, and the sum of the others. */
export type PositionCounters = {
  readonly published: number;
  readonly delivered: number;
  readonly parked: number;
  readonly filtered: number;
  readonly expired: number;
  readonly pending: number;
};

export type PositionView = {
  readonly workspace: string;
  readonly subscriptionId: string;
  readonly emitterId: string;
  readonly epoch: number;
  readonly counters: PositionCounters;
  /** The number of pending events that had a failed attempt. */
  readonly retrying: number;
  /** The newest event that has a number; null: none, or the record is of an earlier version. */
  readonly eventId: string | null;
  /** A `FailedAttempt`, or null. */
  readonly failed: Json;
  /** Epoch ms; null: no retry is due. */
  readonly retryAt: Millis | null;
  /** Epoch ms. */
  readonly updatedAt: Millis;
};

const sample: PositionView = {
  workspace: 'o_0000000000000000',
  subscriptionId: 'sub_0000000000000000',
  emitterId: 'dc_0000000000000000',
  epoch: 1,
  counters: { published: 1, delivered: 1, parked: 0, filtered: 0, expired: 0, pending: 0 },
  retrying: 0,
  eventId: '1700000000000-0',
  failed: null,
  retryAt: null,
  updatedAt: 1_700_000_000_000,
};

/** Of a subscription and a source; keys of the topic's other records have other parts. */
const isCursor = (key: string): boolean => /^sub_[^/]*\/[^/]*$/.test(key);

interface ReportedPosition {
  readonly subscriptionId: string;
  readonly emitterId: string;
  readonly position: CursorPosition;
  readonly report: CursorReport;
}

function reportedPositionOf(record: MessageOn<'cursors'>): ReportedPosition | undefined {
  if (record.data === null || record.data === undefined) return undefined;
  if (record.type === 'CursorAdvanced') {
    const { data } = record;
    return { ...data, position: data, report: data.report ?? defaultReport(data) };
  }
  if (record.type !== 'CursorMoved') return undefined;
  const position = fromCursorMoved(record.data);
  return { ...record.data, position, report: defaultReport(position) };
}

/** The report for a record of an earlier version, which lacks one: `waiting` is the number of events left. */
function defaultReport({ counters, open }: CursorPosition): CursorReport {
  const waiting = counters.published - finishedOf(counters) - open.length;
  return { waiting, eventId: null, failed: null, retryAt: null };
}

function countersOf({ counters, open }: CursorPosition, { waiting, behind = 0 }: CursorReport): PositionCounters {
  const { published, delivered, parked, filtered } = counters;
  return {
    published,
    delivered,
    parked,
    filtered,
    expired: expiredOf(counters),
    pending: open.length + waiting + behind,
  };
}

export const positionsView: View<'cursors', PositionView> = {
  definition: {
    name: 'positions',
    sample: JSON.stringify(sample),
    indexes: { bySubscription: ['subscriptionId', 'emitterId'] },
  },
  topics: ['cursors'],

  idOf: ({ key }) => (isCursor(key) ? key : undefined),

  needsCurrent: () => false,

  /** A record without data: the subscription has ended. */
  evolve(_current, record) {
    const reported = reportedPositionOf(record);
    if (reported === undefined) return undefined;
    const { subscriptionId, emitterId, position, report } = reported;
    return {
      workspace: record.workspace,
      subscriptionId,
      emitterId,
      epoch: position.epoch,
      counters: countersOf(position, report),
      retrying: position.open.filter(({ attempts }) => attempts > 0).length + report.waiting,
      eventId: report.eventId,
      failed: asJson(report.failed),
      retryAt: report.retryAt,
      updatedAt: record.at,
    };
  },
};
