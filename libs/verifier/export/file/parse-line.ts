// Reads one line of an export strictly: accepts only the bytes that the service would write.
import { type Fields, isCount, isHash, isObject, isText } from '../../fields.ts';
import { eventFactsOf, type EventFacts, readEventLine } from './event-facts.ts';
import { eventPrefix, outsideLine } from './format.ts';
import type {
  CheckpointLine,
  CursorLine,
  EndLine,
  ExportHeader,
  OutsideLine,
  PartitionId,
  StateLine,
  TailLine,
  WindowLine,
} from './format.ts';

export type ParsedLine =
  | { readonly kind: 'event'; readonly partitionId: PartitionId; readonly index: number; readonly event: EventFacts }
  | {
      readonly kind: 'outside';
      readonly partitionId: PartitionId;
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
  | { readonly kind: 'damaged'; readonly partitionId: PartitionId; readonly index: number }
  | { readonly kind: 'unreadable' };

const unreadable: ParsedLine = { kind: 'unreadable' };
const topicPattern = /^[a-z][a-z.-]{0,63}$/;

export function parseLine(bytes: Buffer): ParsedLine {
  const record = readEventLine(bytes);
  if (record !== undefined) return { kind: 'event', ...record };
  const text = bytes.toString();
  const fields = parseObject(text);
  if (fields === undefined) return damagedOf(text);
  if (typeof fields.topic === 'string') return parsePartitionLine(fields, text, bytes);
  // Compared as bytes: two different invalid UTF-8 texts can decode to the same string.
  if (!Buffer.from(JSON.stringify(fields)).equals(bytes)) return unreadable;
  if (fields.wellspring === 'history') return parseHeader(fields);
  if (hasOnly(fields, { cursor: isText })) return { kind: 'cursor', cursor: fields as unknown as CursorLine };
  if (hasOnly(fields, { records: isCount, digest: isText })) return { kind: 'end', end: fields as unknown as EndLine };
  return unreadable;
}

function parsePartitionLine(fields: Fields, text: string, bytes: Buffer): ParsedLine {
  const { topic, partition, index } = fields;
  if (!isText(topic) || !topicPattern.test(topic) || !isCount(partition)) return unreadable;
  const partitionId: PartitionId = { topic, partition };
  if (fields.event !== undefined && isCount(index))
    return parseEvent({ partitionId, index }, fields.event, text, bytes);
  if (isObject(fields.outside) && isCount(index)) return parseOutside({ partitionId, index }, fields.outside, bytes);
  if (!Buffer.from(JSON.stringify(fields)).equals(bytes)) return damagedOf(text);
  return parseMarker(fields);
}

interface RecordLocation {
  readonly partitionId: PartitionId;
  readonly index: number;
}

function parseEvent({ partitionId, index }: RecordLocation, event: unknown, text: string, bytes: Buffer): ParsedLine {
  const prefix = eventPrefix(partitionId, index);
  const facts = text.startsWith(prefix) ? eventFactsOf(event, bytes.subarray(prefix.length, -1)) : undefined;
  return facts === undefined ? damagedOf(text) : { kind: 'event', partitionId, index, event: facts };
}

function parseOutside({ partitionId, index }: RecordLocation, fields: Fields, bytes: Buffer): ParsedLine {
  const { time, workspace, digest } = fields;
  if (typeof time !== 'number' || !isHash(workspace) || !isHash(digest)) return { kind: 'damaged', partitionId, index };
  const outside = { time, workspace, digest };
  const isSame = Buffer.from(outsideLine(partitionId, index, outside)).equals(bytes);
  return isSame ? { kind: 'outside', partitionId, index, outside } : { kind: 'damaged', partitionId, index };
}

/** Reads a line of a partition other than a record's. */
function parseMarker(fields: Fields): ParsedLine {
  const idFields = { topic: isText, partition: isCount };
  if (hasOnly(fields, { ...idFields, newest: (value) => value === null || isSignedLine(value) }))
    return { kind: 'state', state: fields as unknown as StateLine };
  const window = { ...idFields, first: isCount, edge: isTexts, before: isText };
  if (hasOnly(fields, window) || hasOnly(fields, { ...window, earlier: isText }))
    return { kind: 'window', window: fields as unknown as WindowLine };
  if (hasOnly(fields, { ...idFields, checkpoint: isText, signatures: isSignatures, prints: isText }))
    return { kind: 'checkpoint', checkpoint: fields as unknown as CheckpointLine };
  if (hasOnly(fields, { ...idFields, end: isCount })) return { kind: 'tail', tail: fields as unknown as TailLine };
  return unreadable;
}

function parseHeader(fields: Fields): ParsedLine {
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
  return { kind: 'damaged', partitionId: { topic, partition: Number(partition) }, index: Number(index) };
}

function parseObject(text: string): Fields | undefined {
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
