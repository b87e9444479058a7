// The type of a list of shapes: by message type, each with a check for every field of its data.
import type { LogRecord } from '../message.ts';
import type { ShapeOf } from './checks.ts';

/** A message type without a shape does not compile. */
export type ShapesOf<M extends LogRecord> = {
  readonly [Type in M['type']]: ShapeOf<Extract<M, { readonly type: Type }>['data']>;
};
