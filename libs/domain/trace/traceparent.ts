// Trace context (W3C): every record is in a trace, which begins with the request or timer that led to it.
import { hash } from 'node:crypto';

/** `00-<trace id>-<span id>-<flags>`: its length never varies. */
const traceparentChars = 55;
const traceDigits = 32;
const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
/** Sampled, and made of random digits: the flags that Trace Context defines. Others are not passed on. */
const knownFlags = 0x03;
/** The flags of traces that begin here: sampled, because the log keeps all of them. */
const ownFlags = '01';
const separator = '/';

/** The valid traceparent, version 00, in a request's header; undefined: there is none, so a trace begins here. */
export function readTraceparent(header: unknown): string | undefined {
  if (typeof header !== 'string') return undefined;
  const [, version, trace, span, flags] = form.exec(header.slice(0, traceparentChars)) ?? [];
  if (version === undefined || trace === undefined || span === undefined || flags === undefined) return undefined;
  // Version 00 ends with its flags; later versions can have more after a dash.
  if (header.length > traceparentChars && (version === '00' || header[traceparentChars] !== '-')) return undefined;
  if (version === 'ff' || isZero(trace) || isZero(span)) return undefined;
  const passedFlags = (Number.parseInt(flags, 16) & knownFlags).toString(16).padStart(2, '0');
  return `00-${trace}-${span}-${passedFlags}`;
}

const isZero = (digits: string): boolean => /^0+$/.test(digits);

/** The trace and its flags. */
interface Trace {
  readonly id: string;
  readonly flags: string;
}

/** A cache by correlation: about six records and a delivery of the same chain need it within moments. */
const traceCache = new Map<string, Trace>();
/** 100 KB. A full cache is emptied, which costs a hash for each trace that is needed again. */
const traceCacheMax = 512;

function traceOf(correlationId: string): Trace {
  const cached = traceCache.get(correlationId);
  if (cached !== undefined) return cached;
  const trace = newTrace(correlationId);
  if (traceCache.size >= traceCacheMax) traceCache.clear();
  traceCache.set(correlationId, trace);
  return trace;
}

function newTrace(correlationId: string): Trace {
  const at = correlationId.length - traceparentChars;
  const received = at > 0 && correlationId[at - 1] === separator ? form.exec(correlationId.slice(at)) : null;
  const [, , trace, , flags] = received ?? [];
  if (trace !== undefined && flags !== undefined) return { id: trace, flags };
  return { id: hash('sha256', correlationId, 'hex').slice(0, traceDigits), flags: ownFlags };
}

/** 32 hexadecimal digits. The trace that the request came with, or one derived from the correlation. */
export const traceIdOf = (correlationId: string): string => traceOf(correlationId).id;

/** Of a record: a span is the step that made it, so the span of the record named by `causationId` is its parent. */
export function traceparentOf({ id, correlationId }: { readonly id: string; readonly correlationId: string }): string {
  const { id: trace, flags } = traceOf(correlationId);
  return `00-${trace}-${spanIdOf(id)}-${flags}`;
}

/**
 * 16 hexadecimal digits, derived from the record's id, so that a repeated step has the same span. Two FNV-1a hashes with
 * different beginnings, mixed as in MurmurHash3: SHA-256 would take longer than all else that an append does for a record.
 */
export function spanIdOf(recordId: string): string {
  let high = 0x811c9dc5;
  let low = 0x9e3779b9;
  for (let i = 0; i < recordId.length; i++) {
    const unit = recordId.charCodeAt(i);
    high = Math.imul(high ^ unit, 0x01000193);
    low = Math.imul(low ^ unit, 0x85ebca6b);
  }
  // A span is never zero.
  return hex(mixBits(high ^ (low >>> 15))) + hex(mixBits(low ^ (high >>> 13)) || 1);
}

/** Pairs of digits by their value: `toString(16)` takes several times as long. */
const pairs = Array.from({ length: 256 }, (_, value) => value.toString(16).padStart(2, '0'));
const hex = (value: number): string =>
  `${pairs[value >>> 24]}${pairs[(value >>> 16) & 0xff]}${pairs[(value >>> 8) & 0xff]}${pairs[value & 0xff]}`;

function mixBits(value: number): number {
  let mix = value;
  mix = Math.imul(mix ^ (mix >>> 16), 0x85ebca6b);
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
  return (mix ^ (mix >>> 16)) >>> 0;
}
