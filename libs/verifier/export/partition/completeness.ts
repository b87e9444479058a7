// Checks that an export holds every requested record of a partition, according to its newest checkpoint.
import type { Checkpoint } from '../../checkpoint.ts';
import { sha256Hex } from '../../tree/hashes.ts';
import { clockSlackMs, type ExportHeader, type PartitionId } from '../file/format.ts';
import type { Findings } from '../findings.ts';
import type { Part } from './partition-check.ts';
import { readCheckpoint } from './signed-checkpoint.ts';

/** A partition whose beginning retention removed, and how many records might be gone. */
export interface Trimmed extends PartitionId {
  readonly records: number;
}

export interface CompletenessInput {
  readonly place: PartitionId;
  readonly part: Part;
  readonly newest: Checkpoint | undefined;
  /** The signed text of the newest checkpoint; empty when the export states that there was none. */
  readonly newestLine: string;
}

type RequestedTime = Pick<ExportHeader, 'from' | 'to'>;

/** Returns which of the requested records were trimmed, if any. */
export function checkCompleteness(
  input: CompletenessInput,
  requested: RequestedTime,
  findings: Findings,
): Trimmed | undefined {
  const { place, part, newest, newestLine } = input;
  if (newest === undefined) {
    if (newestLine === '' && part.last !== undefined)
      findings.addAt('checkpoint', place, ': nothing was signed, says the export, and yet a checkpoint is here');
    return undefined;
  }
  if (part.tail !== undefined && part.tail.first < newest.count) reportUnsigned(place, part.tail, newest, findings);
  if (part.last === undefined) return checkWithoutRecords(input, newest, requested, findings);
  const { count, newest: newestSeen } = part.last;
  if (newestSeen < requested.to + clockSlackMs && count < newest.count)
    findings.addAt('missing', place, `: records from ${count} on are missing, ${newest.count} were signed`);
  return checkBeginning(input, requested, findings);
}

/** Reports signed records that are presented as unsigned. */
function reportUnsigned(
  place: PartitionId,
  { first, line }: NonNullable<Part['tail']>,
  { count }: Checkpoint,
  findings: Findings,
): void {
  const message = `: records up to ${count - 1} were signed, but from ${first} on no checkpoint is here`;
  findings.addAt('checkpoint', place, message, { line });
}

/** Checks an export that holds no signed records. */
function checkWithoutRecords(
  input: CompletenessInput,
  newest: Checkpoint,
  requested: RequestedTime,
  findings: Findings,
): Trimmed | undefined {
  const { place, part, newestLine } = input;
  const { count, trimmed } = newest;
  if (count === 0 || newest.newest < requested.from) return undefined;
  if (trimmed >= count) return { ...place, records: count };
  // Retention has removed records that the newest checkpoint signs: the export begins after that checkpoint.
  if (part.begin?.before === newestLine) return checkBeginning(input, requested, findings);
  findings.addAt(
    'missing',
    place,
    `: none of its ${count} signed records is here, though it has some of the time asked for`,
  );
  return undefined;
}

function checkBeginning(
  { place, part }: CompletenessInput,
  { from }: RequestedTime,
  findings: Findings,
): Trimmed | undefined {
  const { first = 0, before = '', earlier } = part.begin ?? {};
  const anchor = readCheckpoint(before);
  if (first === 0 || (anchor !== undefined && anchor.newest < from)) return undefined;
  // The remaining records before the first complete window cannot be proved; where that window must begin can.
  if (anchor !== undefined && countBefore(anchor, earlier) < part.trimmed) return { ...place, records: first };
  findings.addAt(
    'missing',
    place,
    `: the records before ${first} are missing; no checkpoint says that they were trimmed`,
  );
  return undefined;
}

/** Returns the count of the previous checkpoint. */
function countBefore({ previous }: Checkpoint, earlier: string | undefined): number {
  if (previous === '') return 0;
  if (earlier === undefined || sha256Hex(earlier) !== previous) return Infinity;
  return readCheckpoint(earlier)?.count ?? Infinity;
}
