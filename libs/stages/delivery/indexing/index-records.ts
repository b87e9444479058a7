// The records of the index: the parts of a segment on `indexes`, and their offsets on `cursors`.
import { deltasOf, fromDeltas } from '../../../domain/delivery/indexing/deltas.ts';
import type { IndexEvent, SegmentIndexed } from '../../../domain/delivery/indexing/messages.ts';
import type { Segment } from '../../../domain/delivery/indexing/segment.ts';
import type { CursorEvent } from '../../../domain/delivery/messages.ts';
import { derivedId } from '../../../domain/id.ts';
import type { Millis } from '../../../domain/message.ts';
import { chainFrom } from '../../../domain/trace/chain.ts';
import type { OutgoingOn } from '../../../log/log.ts';

/** The prefix of the keys on `cursors`; the keys of cursors begin with a subscription's id. */
export const indexedPrefix = 'indexed';

/** A segment on the log. */
export interface SavedSegment {
  readonly from: number;
  readonly to: number;
  readonly records: number;
  /** The offsets of its parts on `indexes`. */
  readonly parts: readonly number[];
}

interface RecordStamp {
  readonly partition: number;
  readonly at: Millis;
}

export function partRecords(segment: Segment, { partition, at }: RecordStamp): readonly OutgoingOn<'indexes'>[] {
  return segment.parts().map((data, number) => {
    const record = { ...envelope(partKey(data.from, number), data.to, at), type: 'IndexPartSaved' as const, data };
    return { topic: 'indexes', partition, record, isFinal: true };
  });
}

export function savedRecord(
  { parts, ...segment }: SavedSegment,
  { partition, at }: RecordStamp,
): OutgoingOn<'cursors'> {
  const data: SegmentIndexed = { ...segment, parts: deltasOf(parts) };
  const record = { ...envelope(savedKey(segment.from), segment.to, at), type: 'SegmentIndexed' as const, data };
  return { topic: 'cursors', partition, record };
}

/**
 * The tombstones of a segment. The last one removes the record of the parts' offsets: a kill before it repeats the
 * others.
 */
export function segmentTombstones(
  { from, parts }: SavedSegment,
  { partition, at }: RecordStamp,
): readonly OutgoingOn<'indexes' | 'cursors'>[] {
  const partTombstones = parts.map((_, number): OutgoingOn<'indexes'> => {
    const type = 'IndexPartSaved';
    const record = { ...envelope(partKey(from, number), 'forgotten', at), type, data: undefined } as const;
    return { topic: 'indexes', partition, record };
  });
  const record = { ...envelope(savedKey(from), 'forgotten', at), type: 'SegmentIndexed', data: undefined } as const;
  return [...partTombstones, { topic: 'cursors', partition, record }];
}

/** The segments among these records, in order. */
export function savedSegments(records: Iterable<CursorEvent>): readonly SavedSegment[] {
  const saved: SavedSegment[] = [];
  for (const { type, data } of records)
    if (type === 'SegmentIndexed') saved.push({ ...data, parts: fromDeltas(data.parts) });
  return saved.toSorted((a, b) => a.from - b.from);
}

const partKey = (from: number, number: number): string => `${from}/${number}`;
const savedKey = (from: number): string => `${indexedPrefix}/${from}`;

/** The envelope of a record that results from events of many workspaces, and belongs to none. */
function envelope(key: string, what: string | number, at: Millis) {
  const id = derivedId('rec', 'index', key, what, at);
  return { id, version: 1, key, at, workspace: '', ...chainFrom(id, 'delivery') } satisfies Partial<IndexEvent>;
}
