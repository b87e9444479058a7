// Builds what a cursor's record reports to users: the newest numbered event, the last failure, the next retry.
import type { CursorPosition } from '../../../domain/delivery/cursor.ts';
import type { CursorReport, FailedAttempt } from '../../../domain/delivery/messages.ts';
import type { Millis } from '../../../domain/message.ts';
import type { EndedOutcome } from './outcome.ts';

/** What a cursor keeps for its report; restored from its record after a restart. */
export type Seen = { -readonly [Name in 'eventId' | 'failed']: CursorReport[Name] } & {
  /** How many filtered events are recorded on `deliveries`. */
  filtered: number;
  failingSince: Millis | undefined;
};

export const seenAt = ({ counters }: CursorPosition): Seen => ({
  eventId: null,
  failed: null,
  filtered: counters.filtered,
  failingSince: undefined,
});

/** Restores what the record reports; a record of an earlier version has no report. */
export const seenIn = ({ report }: { readonly report?: CursorReport }): Partial<Seen> => ({
  eventId: report?.eventId ?? null,
  failed: report?.failed ?? null,
  failingSince: report?.failingSince,
});

interface Reporting {
  readonly position: CursorPosition;
  /** The unfinished events that have separate records. */
  readonly aside: { readonly size: number; dueAt(suspended: ReadonlySet<number> | undefined): Millis | null };
  /** Offsets of retries that wait until sending continues or a user acts: none is due. */
  readonly suspended?: ReadonlySet<number> | undefined;
  readonly seen: Readonly<Pick<Seen, 'eventId' | 'failed'> & Partial<Pick<Seen, 'failingSince'>>>;
  /** Its order by key. */
  readonly order?: { readonly waiting: number } | undefined;
}

export function reportOf({ aside, position, suspended, seen, order }: Reporting): CursorReport {
  const { eventId, failed, failingSince } = seen;
  let retryAt = aside.dueAt(suspended);
  for (const { offset, attempts, dueAt } of position.open)
    if (attempts > 0 && suspended?.has(offset) !== true && dueAt < (retryAt ?? Infinity)) retryAt = dueAt;
  const behind = Math.max(order?.waiting ?? 0, 0);
  const shown = { waiting: aside.size, eventId, failed, retryAt, ...(behind === 0 ? {} : { behind }) };
  return failingSince === undefined ? shown : { ...shown, failingSince };
}

export function failedAttempt(eventId: string, outcome: EndedOutcome, at: Millis): FailedAttempt {
  return outcome.kind === 'answered'
    ? { eventId, at, status: outcome.status, failure: null }
    : { eventId, at, status: null, failure: outcome.failure };
}
