// Checks that an export holds every requested record of a partition, according to its newest checkpoint.
import type { Checkpoint } from '../../checkpoint.ts';
import { sha256Hex } from '../../tree/hashes.ts';
import { clockSlackMs, type ExportHeader, type Place } from '../file/format.ts';
import type { Findings } from '../findings.ts';
import type { Part } from './partition-check.ts';
import { readCheckpoint } from './signed-checkpoint.ts';

/** A partition whose beginning retention removed, and how many records might be gone. */
export interface Trimmed extends Place {
  readonly records: number;
}

export interface Whole {
  readonly place: Place;
  readonly part: Part;
  readonly newest: Checkpoint | undefined;
  /** The signed text of the newest checkpoint; empty when the export states that there was none. */
  readonly newestLine: string;
}

type Asked = Pick<ExportHeader, 'from' | 'to'>;

/** Returns which of the requested records were trimmed, if any. */
export function checkCompleteness(whole: Whole, asked: Asked, findings: Findings): Trimmed | undefined {
  const { place, part, newest, newestLine } = whole;
  if (newest === undefined) {
    if (newestLine === '' && part.last !== undefined)
      findings.at('checkpoint', place, ': nothing was signed, says the export, and yet a checkpoint is here');
    return undefined;
  }
  if (part.tail !== undefined && part.tail.first < newest.count) checkpointless(place, part.tail, newest, findings);
  if (part.last === undefined) return ofNone(whole, newest, asked, findings);
  const { count, newest: seen } = part.last;
  if (seen < asked.to + clockSlackMs && count < newest.count)
    findings.at('missing', place, `: records from ${count} on are missing, ${newest.count} were signed`);
  return beginningOf(whole, asked, findings);
}

/** Reports signed records that are presented as unsigned. */
function checkpointless(
  place: Place,
  { first, line }: NonNullable<Part['tail']>,
  { count }: Checkpoint,
  findings: Findings,
): void {
  const message = `: records up to ${count - 1} were signed, but from ${first} on no checkpoint is here`;
  findings.at('checkpoint', place, message, { line });
}

/** Checks an export that holds no signed records. */
function ofNone(whole: Whole, newest: Checkpoint, asked: Asked, findings: Findings): Trimmed | undefined {
  const { place, part, newestLine } = whole;
  const { count, trimmed } = newest;
  if (count === 0 || newest.newest < asked.from) return undefined;
  if (trimmed >= count) return { ...place, records: count };
  // Retention has removed records that the newest checkpoint signs: the export begins after that checkpoint.
  if (part.begin?.before === newestLine) return beginningOf(whole, asked, findings);
  findings.at(
    'missing',
    place,
    `: none of its ${count} signed records is here, though it has some of the time asked for`,
  );
  return undefined;
}

function beginningOf({ place, part }: Whole, { from }: Asked, findings: Findings): Trimmed | undefined {
  const { first = 0, before = '', earlier } = part.begin ?? {};
  const anchor = readCheckpoint(before);
  if (first === 0 || (anchor !== undefined && anchor.newest < from)) return undefined;
  // The remaining records before the first complete window cannot be proved; where that window must begin can.
  if (anchor !== undefined && countBefore(anchor, earlier) < part.trimmed) return { ...place, records: first };
  findings.at('missing', place, `: the records before ${first} are missing; no checkpoint says that they were trimmed`);
  return undefined;
}

/** Returns the count of the previous checkpoint. */
function countBefore({ previous }: Checkpoint, earlier: string | undefined): number {
  if (previous === '') return 0;
  if (earlier === undefined || sha256Hex(earlier) !== previous) return Infinity;
  return readCheckpoint(earlier)?.count ?? Infinity;
}
