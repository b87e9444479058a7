// Tells the log that views were made from by the records that they hold: another log has others at the same offsets.
import { createHash } from 'node:crypto';
import type { StoredRecord } from '../../../domain/message.ts';
import { positionKey, type Log, type Page, type Position } from '../../../log/index.ts';
import type { HeldRecord, HeldRecords } from '../../../view-store/index.ts';
import { inputsFrom, keyOf, type Share } from '../inputs.ts';

/** Hexadecimal digits: one other record in four billion would be taken for the same. */
const identityLength = 8;

/** The time tells a record from the one that replaces it when the same run is repeated: both have the same id. */
function identityOf({ id, at }: StoredRecord): string {
  return createHash('sha256').update(`${id} ${at}`).digest('hex').slice(0, identityLength);
}

/** The last record of each partition that the pages have records of. */
export function lastRecordsOf(pages: readonly Page[]): HeldRecords {
  const held: Record<string, HeldRecord> = {};
  for (const page of pages) {
    const last = page.records.at(-1);
    if (last !== undefined) held[keyOf(page)] = { offset: last.offset, identity: identityOf(last) };
  }
  return held;
}

/**
 * Returns the place of the first record that the views hold and the log has another for. Records that the log has no
 * longer, because they expired or were replaced, tell nothing.
 */
export async function firstOther(log: Log, held: HeldRecords, share: Share): Promise<Position | undefined> {
  const inputs = inputsFrom(log, {}, share);
  const found = await Promise.all(
    inputs.map(async ({ topic, partition }): Promise<Position | undefined> => {
      const known = held[positionKey(topic, partition)];
      if (known === undefined) return undefined;
      const { offset } = known;
      const { records } = await log.read(topic, partition, offset, { recordsMax: 1, bytesMax: 1, to: offset + 1 });
      const isOther = records.some((record) => record.offset === offset && identityOf(record) !== known.identity);
      return isOther ? { topic, partition, offset } : undefined;
    }),
  );
  return found.find((place) => place !== undefined);
}
