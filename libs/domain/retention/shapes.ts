// What a record about retention must hold to be used.
import { millis, optional } from '../shape/checks.ts';
import type { ShapesOf } from '../shape/shapes.ts';
import type { RetentionEvent } from './messages.ts';

export const retentionEvents: ShapesOf<RetentionEvent> = {
  RetentionMoved: { before: millis, hooksBefore: millis, clock: optional(millis) },
};
