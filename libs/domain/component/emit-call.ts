// One event before it gets an id: as a component emits it, or as a trigger carries it.
import type { Json } from '../json.ts';
import { finite, json, object, optional, either, text } from '../shape/checks.ts';

/** One `$emit` as the component called it; `channel` is '' by default, `ts` epoch ms. */
export interface EmitCall {
  readonly event: Json;
  readonly channel: string;
  readonly id?: string | number;
  readonly summary?: string;
  readonly ts?: number;
  /** Epoch ms until which it waits on channel `$in`; absent: it becomes an event at once. */
  readonly deliveryTs?: number;
}

export const emitCall = object<EmitCall>({
  event: json,
  channel: text,
  id: optional(either(text, finite)),
  summary: optional(text),
  ts: optional(finite),
  deliveryTs: optional(finite),
});
