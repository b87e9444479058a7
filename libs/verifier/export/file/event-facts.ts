// Extracts from a record what the verifier needs: the content of its leaf, and its id for findings.
import { sha256Hex } from '../../tree/hashes.ts';
import { eventPrefix, type PartitionId } from './format.ts';

export interface EventFacts {
  readonly id: string;
  /** In epoch milliseconds. */
  readonly time: number;
  readonly workspace: string;
  /** SHA-256 of its line. */
  readonly digest: string;
}

/** `line`: the record's own bytes, which were signed. Undefined for a value that is not a CloudEvent. */
export function eventFactsOf(event: unknown, line: Uint8Array): EventFacts | undefined {
  if (typeof event !== 'object' || event === null) return undefined;
  const { id, time, workspace } = event as Readonly<Record<string, unknown>>;
  if (typeof time !== 'string' || typeof workspace !== 'string') return undefined;
  const millis = Date.parse(time);
  if (Number.isNaN(millis)) return undefined;
  // A malformed record can lack its id, and is signed like any other.
  return { id: typeof id === 'string' ? id : '', time: millis, workspace, digest: sha256Hex(line) };
}

/**
 * The attributes that are read, all of bounded length except the key, fit into this; a longer head is parsed as JSON.
 */
const headBytes = 1_024;

const text = String.raw`"((?:[^"\\]|\\.)*)"`;
/** The beginning of a record's line as `JSON.stringify` writes it, with its attributes in this order. */
const headPattern = new RegExp(
  String.raw`^\{"topic":"([a-z][a-z.-]{0,63})","partition":(0|[1-9]\d{0,8}),"index":(0|[1-9]\d{0,14}),"event":` +
    String.raw`\{"specversion":"1\.0","id":${text},"source":${text},"type":${text},"time":${text},` +
    String.raw`"datacontenttype":"application/json","partitionkey":${text},"version":${text},"workspace":${text},`,
);

export interface EventLine {
  readonly partitionId: PartitionId;
  readonly index: number;
  readonly event: EventFacts;
}

const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * The same without parsing the record's data, which would take longer than all else: its hash shows whether it was
 * signed. Undefined if the line must be parsed as JSON.
 */
export function readEventLine(bytes: Buffer): EventLine | undefined {
  if (bytes.at(-1) !== closeBrace) return undefined;
  const found = headPattern.exec(bytes.toString('utf8', 0, headBytes));
  if (found === null) return undefined;
  const [, topic = '', partition = '', index = '', id = '', , , time = '', , , workspace = ''] = found;
  const millis = Date.parse(time);
  if (Number.isNaN(millis) || id.includes('\\') || workspace.includes('\\')) return undefined;
  const partitionId = { topic, partition: Number(partition) };
  const start = eventPrefix(partitionId, Number(index)).length;
  if (bytes[start] !== openBrace) return undefined;
  const event = { id, time: millis, workspace, digest: sha256Hex(bytes.subarray(start, -1)) };
  return { partitionId, index: Number(index), event };
}
