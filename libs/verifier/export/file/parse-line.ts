// Reads one line of an export strictly: accepts only the bytes that the service would write.
import { type Fields, isCount, isHash, isObject, isText } from '../../fields.ts';
import { checkedEvent, type EventFacts, readEventLine } from './event-facts.ts';
import { eventPrefix, outsideLine } from './format.ts';
import type {
  CheckpointLine,
  CursorLine,
  EndLine,
  ExportHeader,
  OutsideLine,
  Place,
  StateLine,
  TailLine,
  WindowLine,
} from './format.ts';

export type ParsedLine =
  | { readonly kind: 'event'; readonly place: Place; readonly index: number; readonly event: EventFacts }
  | {
      readonly kind: 'outside';
      readonly place: Place;
      readonly index: number;
      readonly outside: OutsideLine['outside'];
    }
  | { readonly kind: 'header'; readonly header: ExportHeader }
  | { readonly kind: 'state'; readonly state: StateLine }
  | { readonly kind: 'window'; readonly window: WindowLine }
  | { readonly kind: 'checkpoint'; readonly checkpoint: CheckpointLine }
  | { readonly kind: 'tail'; readonly tail: TailLine }
  | { readonly kind: 'cursor'; readonly cursor: CursorLine }
  | { readonly kind: 'end'; readonly end: EndLine }
  /** A record's line of which only the place can be read. */
  | { readonly kind: 'damaged'; readonly place: Place; readonly index: number }
  | { readonly kind: 'unreadable' };

const unreadable: ParsedLine = { kind: 'unreadable' };
const topicPattern = /^[a-z][a-z.-]{0,63}$/;

export function parseLine(bytes: Buffer): ParsedLine {
  const record = readEventLine(bytes);
  if (record !== undefined) return { kind: 'event', ...record };
  const text = bytes.toString();
  const fields = objectOf(text);
  if (fields === undefined) return damagedOf(text);
  if (typeof fields.topic === 'string') return ofPartition(fields, text, bytes);
  // Compared as bytes: two different invalid UTF-8 texts can decode to the same string.
  if (!Buffer.from(JSON.stringify(fields)).equals(bytes)) return unreadable;
  if (fields.wellspring === 'history') return headerOf(fields);
  if (hasOnly(fields, { cursor: isText })) return { kind: 'cursor', cursor: fields as unknown as CursorLine };
  if (hasOnly(fields, { records: isCount, digest: isText })) return { kind: 'end', end: fields as unknown as EndLine };
  return unreadable;
}

function ofPartition(fields: Fields, text: string, bytes: Buffer): ParsedLine {
  const { topic, partition, index } = fields;
  if (!isText(topic) || !topicPattern.test(topic) || !isCount(partition)) return unreadable;
  const place: Place = { topic, partition };
  if (fields.event !== undefined && isCount(index)) return eventOf({ place, index }, fields.event, text, bytes);
  if (isObject(fields.outside) && isCount(index)) return outsideOf({ place, index }, fields.outside, bytes);
  if (!Buffer.from(JSON.stringify(fields)).equals(bytes)) return damagedOf(text);
  return markOf(fields);
}

interface At {
  readonly place: Place;
  readonly index: number;
}

function eventOf({ place, index }: At, event: unknown, text: string, bytes: Buffer): ParsedLine {
  const prefix = eventPrefix(place, index);
  const facts = text.startsWith(prefix) ? checkedEvent(event, bytes.subarray(prefix.length, -1)) : undefined;
  return facts === undefined ? damagedOf(text) : { kind: 'event', place, index, event: facts };
}

function outsideOf({ place, index }: At, fields: Fields, bytes: Buffer): ParsedLine {
  const { time, workspace, digest } = fields;
  if (typeof time !== 'number' || !isHash(workspace) || !isHash(digest)) return { kind: 'damaged', place, index };
  const outside = { time, workspace, digest };
  const isSame = Buffer.from(outsideLine(place, index, outside)).equals(bytes);
  return isSame ? { kind: 'outside', place, index, outside } : { kind: 'damaged', place, index };
}

/** Reads a line of a partition other than a record's. */
function markOf(fields: Fields): ParsedLine {
  const place = { topic: isText, partition: isCount };
  if (hasOnly(fields, { ...place, newest: (value) => value === null || isSignedLine(value) }))
    return { kind: 'state', state: fields as unknown as StateLine };
  const window = { ...place, first: isCount, edge: isTexts, before: isText };
  if (hasOnly(fields, window) || hasOnly(fields, { ...window, earlier: isText }))
    return { kind: 'window', window: fields as unknown as WindowLine };
  if (hasOnly(fields, { ...place, checkpoint: isText, signatures: isSignatures, prints: isText }))
    return { kind: 'checkpoint', checkpoint: fields as unknown as CheckpointLine };
  if (hasOnly(fields, { ...place, end: isCount })) return { kind: 'tail', tail: fields as unknown as TailLine };
  return unreadable;
}

function headerOf(fields: Fields): ParsedLine {
  const isHeader = hasOnly(fields, {
    wellspring: isText,
    version: isCount,
    workspace: isText,
    from: isCount,
    to: isCount,
    at: isCount,
    keys: listOf({ id: isText, publicKey: isText }),
    topics: listOf({ topic: isText, partitions: isCount }),
  });
  return isHeader ? { kind: 'header', header: fields as unknown as ExportHeader } : unreadable;
}

/** Reads only the place, so that a finding can still name a changed record. */
function damagedOf(text: string): ParsedLine {
  const found = /^\{"topic":"([a-z.-]{1,64})","partition":(\d{1,9}),"index":(\d{1,15}),/.exec(text);
  if (found === null) return unreadable;
  const [, topic = '', partition, index] = found;
  return { kind: 'damaged', place: { topic, partition: Number(partition) }, index: Number(index) };
}

function objectOf(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

type Check = (value: unknown) => boolean;

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

/** Whether the object has exactly these fields, each of its kind. */
const hasOnly = (fields: Fields, checks: Readonly<Record<string, Check>>): boolean =>
  Object.keys(fields).length === Object.keys(checks).length &&
  Object.entries(checks).every(([name, check]) => Object.hasOwn(fields, name) && check(fields[name]));

const listOf =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    Array.isArray(value) && value.every((each) => isObject(each) && hasOnly(each, checks));

const isSignatures = listOf({ keyId: isText, signature: isText });
const isSignedLine: Check = (value) => isObject(value) && hasOnly(value, { line: isText, signatures: isSignatures });
