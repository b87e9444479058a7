// The shapes of delivery's index on the log.
import { list, natural, record } from '../../shape/checks.ts';
import type { ShapeOf } from '../../shape/checks.ts';
import type { ShapesOf } from '../../shape/shapes.ts';
import type { IndexEvent, SegmentIndexed } from './messages.ts';

const offsets = record(list(natural));

export const indexEvents: ShapesOf<IndexEvent> = {
  IndexPartSaved: { from: natural, to: natural, events: offsets, deletions: offsets },
};

export const segmentIndexed: ShapeOf<SegmentIndexed> = {
  from: natural,
  to: natural,
  records: natural,
  parts: list(natural),
};
