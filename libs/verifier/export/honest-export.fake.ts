// A small honest service in memory: it signs and exports its records, for specs that then change the export.
import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { type Checkpoint, checkpointLine, checkpointVersion, keyIdOf, signLine } from '../checkpoint.ts';
import { hashOfLeaf, type Leaf, leafOf } from '../leaf.ts';
import { Edge } from '../tree/edge.ts';
import { sha256Hex } from '../tree/hashes.ts';
import { cursorText } from './file/cursor.ts';
import {
  eventPrefix,
  exportVersion,
  outsideLine,
  type PartitionId,
  printBytes,
  type SignedLine,
  workspaceHash,
} from './file/format.ts';

export interface FakeKey {
  readonly id: string;
  readonly publicKey: string;
  readonly privateKey: KeyObject;
}

export function fakeKey(): FakeKey {
  const pair = generateKeyPairSync('ed25519');
  const publicKey = pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');
  return { id: keyIdOf(publicKey), publicKey, privateKey: pair.privateKey };
}

export interface FakeRecord {
  readonly id: string;
  readonly time: number;
  readonly workspace: string;
  readonly data: unknown;
}

interface Window {
  readonly first: number;
  readonly edge: readonly string[];
  readonly before: string;
  readonly signed: SignedLine;
  readonly prints: string;
  readonly checkpoint: Checkpoint;
}

/**
 * Returns a record's line as the service writes it, with a quotation mark in the key, which is rare, and must do no
 * harm.
 */
export const eventLine = (topic: string, { id, time, workspace, data }: FakeRecord): string =>
  JSON.stringify({
    specversion: '1.0',
    id,
    source: `/wellspring/${topic}`,
    type: 'OrderPlaced',
    time: new Date(time).toISOString(),
    datacontenttype: 'application/json',
    partitionkey: `"${topic}"`,
    version: '1',
    workspace,
    correlationid: 'c',
    causationid: 'c',
    data,
  });

/** The prints of leaves, as a checkpoint holds them. */
const printsText = (leaves: readonly Uint8Array[]): string =>
  Buffer.concat(leaves.map((leaf) => leaf.subarray(0, printBytes))).toString('base64');

/** One partition: its records and signed checkpoints. */
export class FakePartition {
  readonly partitionId: PartitionId;
  readonly records: FakeRecord[] = [];
  readonly windows: Window[] = [];
  readonly #edge = new Edge();

  constructor(partitionId: PartitionId) {
    this.partitionId = partitionId;
  }

  leafOf(record: FakeRecord): Leaf {
    return leafOf(eventLine(this.partitionId.topic, record), record.time, record.workspace);
  }

  /** Signs all records so far; if there are two keys, the first is the new one. */
  sign(time: number, keys: readonly FakeKey[], trimmed = 0): void {
    const last = this.windows.at(-1);
    const first = last?.checkpoint.count ?? 0;
    const edge = this.#edge.toHex();
    const before = last?.signed.line ?? '';
    const leaves = this.records.slice(first).map((record) => hashOfLeaf(this.leafOf(record)));
    for (const leaf of leaves) this.#edge.append(leaf);
    const checkpoint: Checkpoint = {
      version: checkpointVersion,
      ...this.partitionId,
      count: this.records.length,
      root: this.#edge.root().toString('hex'),
      newest: this.records.reduce((newest, { time: recordTime }) => Math.max(newest, recordTime), 0),
      trimmed,
      previous: before === '' ? '' : sha256Hex(before),
      time,
      keyId: keys[0]?.id ?? '',
    };
    const line = checkpointLine(checkpoint);
    const signatures = keys.map(({ id, privateKey }) => ({ keyId: id, signature: signLine(line, privateKey) }));
    this.windows.push({ first, edge, before, signed: { line, signatures }, prints: printsText(leaves), checkpoint });
  }
}

export interface ExportRequest {
  readonly workspace: string;
  readonly from: number;
  readonly to: number;
  readonly at: number;
  readonly keys: readonly FakeKey[];
}

/** Returns the lines of an export, without newlines. `trimmedWindows`: those that retention has begun to remove. */
export function honestExport(
  partitions: readonly FakePartition[],
  request: ExportRequest,
  trimmedWindows = 0,
): readonly string[] {
  const { workspace, from, to, at, keys } = request;
  const counts = new Map<string, number>();
  for (const { partitionId } of partitions)
    counts.set(partitionId.topic, Math.max(counts.get(partitionId.topic) ?? 0, partitionId.partition + 1));
  const lines = new DigestedLines();
  lines.add({
    wellspring: 'history',
    version: exportVersion,
    workspace,
    from,
    to,
    at,
    keys: keys.map(({ id, publicKey }) => ({ id, publicKey })),
    topics: [...counts].map(([topic, count]) => ({ topic, partitions: count })),
  });
  for (const { partitionId, windows } of partitions)
    lines.add({ ...partitionId, newest: windows.at(-1)?.signed ?? null });
  for (const partition of partitions) addPartition(lines, partition, request, trimmedWindows);
  return lines.end();
}

function addPartition(
  lines: DigestedLines,
  partition: FakePartition,
  request: ExportRequest,
  trimmedWindows: number,
): void {
  const { partitionId, windows, records } = partition;
  const firstRequested = windows.findIndex(({ checkpoint }) => checkpoint.newest >= request.from);
  const begin = firstRequested === -1 ? windows.length : Math.max(firstRequested, trimmedWindows);
  for (const [nth, window] of windows.entries()) {
    if (nth < begin) continue;
    const { first, edge, before, signed, prints, checkpoint } = window;
    const isLate = nth > begin && (windows[nth - 1]?.checkpoint.newest ?? 0) >= request.to + 60_000;
    if (isLate) return;
    const earlier = nth === trimmedWindows && nth > 1 ? { earlier: windows[nth - 1]?.before } : {};
    lines.add({ ...partitionId, first, edge, before, ...earlier });
    for (let index = first; index < checkpoint.count; index += 1) lines.addText(recordLine(partition, index, request));
    lines.add({ ...partitionId, checkpoint: signed.line, signatures: signed.signatures, prints });
    lines.addCursor();
  }
  const last = windows.at(-1);
  const first = last?.checkpoint.count ?? 0;
  const isCut = trimmedWindows > 0 && trimmedWindows === windows.length;
  if ((first === records.length && !isCut) || (last?.checkpoint.newest ?? 0) >= request.to + 60_000) return;
  const edge = new Edge();
  for (const record of records.slice(0, first)) edge.append(hashOfLeaf(partition.leafOf(record)));
  const earlier = isCut && last?.before !== '' ? { earlier: last?.before } : {};
  lines.add({ ...partitionId, first, edge: edge.toHex(), before: last?.signed.line ?? '', ...earlier });
  for (let index = first; index < records.length; index += 1) lines.addText(recordLine(partition, index, request));
  lines.add({ ...partitionId, end: records.length });
}

function recordLine(partition: FakePartition, index: number, { workspace, from, to }: ExportRequest): string {
  const record = partition.records[index];
  if (record === undefined) throw new Error(`no record ${index}`);
  const isRequested = record.workspace === workspace && record.time >= from && record.time < to;
  if (isRequested)
    return `${eventPrefix(partition.partitionId, index)}${eventLine(partition.partitionId.topic, record)}}`;
  const { time, digest } = partition.leafOf(record);
  return outsideLine(partition.partitionId, index, { time, workspace: workspaceHash(record.workspace), digest });
}

/** Collects lines, and adds their digests. */
class DigestedLines {
  readonly #lines: string[] = [];
  #digest = createHash('sha256');

  add(line: object): void {
    this.addText(JSON.stringify(line));
  }

  addText(line: string): void {
    this.#lines.push(line);
    this.#digest.update(`${line}\n`);
  }

  get #records(): number {
    return this.#lines.filter((line) => line.includes(',"event":')).length;
  }

  addCursor(): void {
    const cursor = cursorText({ digest: this.#digest.digest('hex'), records: this.#records });
    this.#digest = createHash('sha256');
    this.add({ cursor });
  }

  end(): readonly string[] {
    return [...this.#lines, JSON.stringify({ records: this.#records, digest: this.#digest.digest('hex') })];
  }
}

/** Recomputes the digests of changed lines, as an attacker would to hide the changes. */
export function recomputeDigests(lines: readonly string[]): readonly string[] {
  const digested = new DigestedLines();
  for (const line of lines) {
    if (line.startsWith('{"cursor":')) digested.addCursor();
    else if (!line.startsWith('{"records":')) digested.addText(line);
  }
  return digested.end();
}

/** Yields bytes in pieces of uneven size, as when a file is read. */
export async function* chunksOf(bytes: Buffer, size = 4_096): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
