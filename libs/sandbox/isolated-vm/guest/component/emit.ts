// $emit: an event with its channel, id, summary and time, as one JSON text for the host.
import type { Call } from '../core/calls.ts';
import { isUnderWay, writeLateLine, writeLine } from '../core/calls.ts';
import { toHost, send } from '../core/bridge.ts';
import { LimitError, limits } from '../core/guest-limits.ts';
import {
  isFinite,
  jsonStringify,
  resolvedPromise,
  stringCharCodeAt,
  stringSlice,
  toText,
} from '../core/primordials.ts';
import { isHighSurrogate, jsonDepth, ownText, utf8Length } from '../core/text.ts';
import { channelUnitsMax } from '../../wire.ts';
import { timestamp } from './timestamp.ts';

/**
 * Real ids have up to a few hundred characters (docs/reference/component-api.md, "Emit"); all of them go into the
 * dedupe cache.
 */
const idMax = 1024;
/** A line in a list of events; longer ones are cut. */
const summaryMax = 4096;

interface EmitMeta {
  readonly id?: unknown;
  readonly name?: unknown;
  readonly summary?: unknown;
  readonly ts?: unknown;
  readonly delivery_ts?: unknown;
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null;

/** Drops the emit: throws to the component, and prints to its console in case the component catches the error. */
function refuse(message: string): never {
  writeLine('error', `Event dropped: ${message}`);
  throw new LimitError(message);
}

function refuseLate(): never {
  const message =
    '$emit: the run or hook that it belongs to has ended. Await what emits, and take $emit from its own this';
  writeLateLine('error', `Event dropped: ${message}`);
  throw new LimitError(message);
}

/** Empty: no id. A value without a text of its own is no id, because equal ids would drop events as duplicates. */
function idJson(call: Call, id: unknown): string {
  if (!isSet(id)) return '';
  if (typeof id === 'number' && isFinite(id)) return jsonStringify(id) ?? '';
  const text = ownText(id);
  if (text === undefined) {
    if (!call.warnedOfIds)
      writeLine('warn', `$emit: ${kindOf(id)} is no id: the event has none. An id is text or a number`);
    call.warnedOfIds = true;
    return '';
  }
  if (text.length > idMax) refuse(`$emit: the id has ${text.length} characters, ${idMax} are allowed`);
  return jsonStringify(text) ?? '';
}

const kindOf = (value: unknown): string =>
  typeof value === 'number' ? toText(value) : `a value of type ${typeof value}`;

function channelOf(name: unknown): string {
  if (!isSet(name) || name === false) return '';
  const channel = ownText(name);
  if (channel === undefined) refuse(`$emit: the name is text, not ${kindOf(name)}`);
  if (channel.length > channelUnitsMax) {
    refuse(`$emit: the name has ${channel.length} characters, ${channelUnitsMax} are allowed`);
  }
  // By index: a component can replace the methods of strings.
  if (channel[0] === '$') refuse('$emit: names that begin with $ are for the service');
  return channel;
}

/** The JSON text that precedes the event; `bytes`: the size of its texts in the event's record. */
interface EmitHead {
  readonly text: string;
  readonly bytes: number;
}

function headOf(call: Call, meta: EmitMeta): EmitHead {
  const name = jsonStringify(channelOf(meta.name)) ?? '';
  const id = idJson(call, meta.id);
  const summary = isSet(meta.summary) ? (jsonStringify(truncate(toText(meta.summary), summaryMax)) ?? '') : '';
  const times = timeText('ts', meta.ts) + deliveryText(call, meta.delivery_ts);
  const text = `{"channel":${name}${fieldJson('id', id)}${fieldJson('summary', summary)}${times}`;
  const idBytes = typeof meta.id === 'number' ? 0 : utf8Length(id);
  return { text, bytes: utf8Length(name) + idBytes + utf8Length(summary) };
}

const fieldJson = (name: string, json: string): string => (json === '' ? '' : `,"${name}":${json}`);

/** Never cuts a surrogate pair in half, because many programs reject text with half of one. */
function truncate(text: string, unitsMax: number): string {
  const isHalf = text.length > unitsMax && isHighSurrogate(stringCharCodeAt(text, unitsMax - 1));
  return stringSlice(text, 0, isHalf ? unitsMax - 1 : unitsMax);
}

function timeText(name: string, value: unknown): string {
  const ms = timestamp(value);
  return ms === undefined ? '' : `,"${name}":${ms}`;
}

/** An event whose `delivery_ts` cannot be read is delivered at once; a warning on the console tells the author. */
function deliveryText(call: Call, value: unknown): string {
  const text = timeText('deliveryTs', value);
  if (text === '' && isSet(value) && !call.warnedOfTimes) {
    const forms = 'Give epoch milliseconds, a Date or a date as text';
    writeLine('warn', `$emit: the delivery_ts is no time: the event is emitted at once. ${forms}`);
    call.warnedOfTimes = true;
  }
  return text;
}

/** Sends the one value that a form has asked for, in the way of an event; such an invocation emits nothing else. */
export function sendAnswer(call: Call, what: string, text: string): void {
  const { emitBytes, depthMax } = limits();
  const bytes = text.length <= emitBytes ? utf8Length(text) : text.length;
  if (bytes > emitBytes) throw new LimitError(`The ${what} have ${bytes} bytes of JSON, ${emitBytes} are allowed`);
  if (jsonDepth(text) > depthMax) throw new LimitError(`The ${what} are nested deeper than ${depthMax} levels`);
  send(toHost.emit, call.id, `{"channel":"","event":${text}}`);
}

export function emit(call: Call, event: unknown, meta: unknown): Promise<void> {
  if (call.muted) return resolvedPromise();
  if (!isUnderWay(call)) refuseLate();
  const { emitBytes, emitsMax, emittedBytesMax, recordsBytesMax, recordBytes, resultBytesMax, depthMax } = limits();
  const text = jsonStringify(event) ?? 'null';
  const fits = text.length <= emitBytes;
  // Checked before anything that reads every character, so that repeated refusals stay cheap.
  if (fits && call.emittedBytes + text.length > emittedBytesMax) {
    refuse(`$emit: one run may emit ${emittedBytesMax} bytes`);
  }
  const bytes = fits ? utf8Length(text) : text.length;
  if (bytes > emitBytes) refuse(`$emit: the event has ${bytes} bytes of JSON, ${emitBytes} are allowed`);
  if (typeof event !== 'string' && jsonDepth(text) > depthMax) {
    refuse(`$emit: the event is nested deeper than ${depthMax} levels`);
  }
  if (call.emits >= emitsMax) refuse(`$emit: one run may emit ${emitsMax} events`);
  const head = headOf(call, typeof meta === 'object' && meta !== null ? meta : {});
  const json = `${head.text},"event":${text}}`;
  const total = call.emittedBytes + bytes + (json.length - text.length);
  if (total > emittedBytesMax) refuse(`$emit: one run may emit ${emittedBytesMax} bytes`);
  const records = call.recordsBytes + recordBytes + bytes + head.bytes;
  if (records > recordsBytesMax) {
    refuse(`$emit: one run may emit ${recordsBytesMax} bytes, where each event counts ${recordBytes} more`);
  }
  if (total + call.respondedBytes > resultBytesMax)
    refuse(`$emit: one run may emit and respond ${resultBytesMax} bytes`);
  call.emits++;
  call.emittedBytes = total;
  call.recordsBytes = records;
  send(toHost.emit, call.id, json);
  return resolvedPromise();
}
