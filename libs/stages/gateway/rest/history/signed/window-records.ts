// Reads the records between two checkpoints, each with the line and the leaf that were signed.
import type { SignedTopic } from '../../../../../domain/flow.ts';
import { signedRecord, type SignedRecord } from '../../../../../domain/history/signed-line.ts';
import type { StoredRecord } from '../../../../../domain/message.ts';
import type { LogReader } from './checkpoints.ts';

export interface WindowRecord extends SignedRecord {
  readonly record: StoredRecord;
}

export interface RecordRange {
  readonly topic: SignedTopic;
  readonly partition: number;
  /** The first offset, and the one after the last. */
  readonly from: number;
  readonly to: number;
}

/** Small enough to hash without blocking other requests. */
const page = { recordsMax: 200, bytesMax: 512 * 1024 };

/** `log`: the unchecked one, because unusable records were signed as well. */
export async function* readRecordsIn(
  log: LogReader,
  { topic, partition, from, to }: RecordRange,
): AsyncGenerator<WindowRecord> {
  for (let next = from; next < to;) {
    const read = await log.read(topic, partition, next, { ...page, to });
    for (const record of read.records) yield { record, ...signedRecord(topic, record) };
    if (read.records.length === 0) return;
    next = read.next;
  }
}
