// Messages of delivery's index, which says where each source's records are on `channels`, so that it reads only those.
import type { MessageOf } from '../../message.ts';

/** Offsets by source id, encoded as deltas (`deltasOf`). */
export type OffsetsBySource = Readonly<Record<string, readonly number[]>>;

/** On `indexes`, compacted, keyed `from/number of the part`. Without data: retention has overtaken the segment. */
export type IndexEvent = MessageOf<{
  /** One part of a segment; each source is in one part. */
  IndexPartSaved: {
    /** The offsets on `channels` that the segment covers, from `from` up to but excluding `to`. */
    readonly from: number;
    readonly to: number;
    readonly events: OffsetsBySource;
    readonly deletions: OffsetsBySource;
  };
}>;

/** On `cursors`, keyed `indexed/from`: where the parts of a segment are. */
export interface SegmentIndexed {
  readonly from: number;
  readonly to: number;
  /** How many records it covers. */
  readonly records: number;
  /** Offsets of its parts on `indexes`, in order: the first, then the distance of each to the one before it. */
  readonly parts: readonly number[];
}
