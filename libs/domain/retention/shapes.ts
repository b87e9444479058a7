// The shape of records about retention; records that do not match are not used.
import { millis, optional } from '../shape/checks.ts';
import type { ShapesOf } from '../shape/shapes.ts';
import type { RetentionEvent } from './messages.ts';

export const retentionEvents: ShapesOf<RetentionEvent> = {
  RetentionMoved: { before: millis, hooksBefore: millis, clock: optional(millis) },
};
