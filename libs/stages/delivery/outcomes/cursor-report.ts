// Builds what a cursor's record reports to users: the newest numbered event, the last failure, the next retry.
import type { CursorPosition } from '../../../domain/delivery/cursor.ts';
import type { CursorReport, FailedAttempt } from '../../../domain/delivery/messages.ts';
import type { Millis } from '../../../domain/message.ts';
import type { EndedOutcome } from './outcome.ts';

/** What a cursor keeps for its report; restored from its record after a restart. */
export type ReportState = { -readonly [Name in 'eventId' | 'failed']: CursorReport[Name] } & {
  /** How many filtered events are recorded on `deliveries`. */
  filtered: number;
  failingSince: Millis | undefined;
};

export const initialReportState = ({ counters }: CursorPosition): ReportState => ({
  eventId: null,
  failed: null,
  filtered: counters.filtered,
  failingSince: undefined,
});

/** Restores what the record reports; a record of an earlier version has no report. */
export const restoredReportState = ({ report }: { readonly report?: CursorReport }): Partial<ReportState> => ({
  eventId: report?.eventId ?? null,
  failed: report?.failed ?? null,
  failingSince: report?.failingSince,
});

interface ReportSource {
  readonly position: CursorPosition;
  /** The unfinished events that have separate records. */
  readonly retries: { readonly size: number; dueAt(suspended: ReadonlySet<number> | undefined): Millis | null };
  /** Offsets of retries that wait until sending continues or a user acts: none is due. */
  readonly suspended?: ReadonlySet<number> | undefined;
  readonly reportState: Readonly<Pick<ReportState, 'eventId' | 'failed'> & Partial<Pick<ReportState, 'failingSince'>>>;
  /** Its order by key. */
  readonly keyOrder?: { readonly waiting: number } | undefined;
}

export function reportOf({ retries, position, suspended, reportState, keyOrder }: ReportSource): CursorReport {
  const { eventId, failed, failingSince } = reportState;
  let retryAt = retries.dueAt(suspended);
  for (const { offset, attempts, dueAt } of position.open)
    if (attempts > 0 && suspended?.has(offset) !== true && dueAt < (retryAt ?? Infinity)) retryAt = dueAt;
  const waitingForKey = Math.max(keyOrder?.waiting ?? 0, 0);
  const report = {
    waiting: retries.size,
    eventId,
    failed,
    retryAt,
    ...(waitingForKey === 0 ? {} : { behind: waitingForKey }),
  };
  return failingSince === undefined ? report : { ...report, failingSince };
}

export function failedAttempt(eventId: string, outcome: EndedOutcome, at: Millis): FailedAttempt {
  return outcome.kind === 'answered'
    ? { eventId, at, status: outcome.status, failure: null }
    : { eventId, at, status: null, failure: outcome.failure };
}
