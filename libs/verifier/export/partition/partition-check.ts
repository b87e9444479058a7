// Follows the records of one partition through an export, from checkpoint to checkpoint.
import { type Checkpoint } from '../../checkpoint.ts';
import { Edge } from '../../tree/edge.ts';
import { type Digest, sha256Hex } from '../../tree/hashes.ts';
import {
  type CheckpointLine,
  type PartitionId,
  type SignedLine,
  type WindowLine,
  windowRecordsMax,
} from '../file/format.ts';
import type { Findings } from '../findings.ts';
import type { AuditorKeyring } from '../keyring.ts';
import { differencesOf, type ExportedRecord, misnumbered } from './differences.ts';
import type { KeptCheckpoints } from './kept-checkpoints.ts';
import { printOf, readPrints } from './prints.ts';
import { readCheckpoint } from './signed-checkpoint.ts';

/** A record for the tree; without `leaf` only its place could be read. */
export interface RecordEntry {
  readonly index: number;
  readonly leaf?: Digest;
  readonly time?: number;
  readonly id?: string;
  readonly line: number;
}

/** The records since a checkpoint, until the next one. */
interface Window {
  readonly first: number;
  readonly before: string;
  readonly line: number;
  /** Absent once the records are known to differ from the signed ones. */
  edge: Edge | undefined;
  newest: number;
  readonly exported: ExportedRecord[];
  records: number;
}

export interface Part {
  /** The line with which the export of this partition begins. */
  readonly begin: Pick<WindowLine, 'first' | 'before' | 'earlier'> | undefined;
  /** The last checkpoint of the partition in the export. */
  readonly last: Checkpoint | undefined;
  /** The highest number of trimmed records in any checkpoint here. */
  readonly trimmed: number;
  /** The beginning of the records that no checkpoint here signs. */
  readonly tail: { readonly first: number; readonly line: number } | undefined;
}

export class PartitionCheck {
  readonly partitionId: PartitionId;
  readonly #findings: Findings;
  readonly #keyring: AuditorKeyring;
  readonly #keptCheckpoints: KeptCheckpoints;
  #begin: WindowLine | undefined;
  #last: Checkpoint | undefined;
  #lastLine = '';
  /** The edge after the last checkpoint; absent if that checkpoint was not confirmed. */
  #edge: Edge | undefined;
  #window: Window | undefined;
  #tail: Part['tail'];
  #trimmed = 0;

  constructor(
    partitionId: PartitionId,
    findings: Findings,
    trust: { readonly keyring: AuditorKeyring; readonly kept: KeptCheckpoints },
  ) {
    this.partitionId = partitionId;
    this.#findings = findings;
    this.#keyring = trust.keyring;
    this.#keptCheckpoints = trust.kept;
  }

  get part(): Part {
    return { begin: this.#begin, last: this.#last, trimmed: this.#trimmed, tail: this.#tail };
  }

  begin(line: WindowLine, number: number): void {
    this.close();
    const { first, before } = line;
    if (this.#tail !== undefined)
      this.#addFinding('line', `records from ${first} on come after the unsigned ones`, number);
    if (this.#last === undefined) this.#begin ??= line;
    else this.#checkOrder(line, this.#last.count, number);
    const anchor = before === '' ? undefined : readCheckpoint(before);
    const statedEdge = Edge.fromHex(first, line.edge);
    const isAnchored =
      before === '' ? first === 0 : anchor?.count === first && statedEdge?.root().toString('hex') === anchor.root;
    if (!isAnchored || statedEdge === undefined)
      this.#addFinding('checkpoint', `the tree's edge at record ${first} is not the one that was signed`, number);
    const computedEdge = this.#edge?.count === first ? this.#edge : undefined;
    const edge = computedEdge?.copy() ?? (isAnchored ? statedEdge : undefined);
    this.#openWindow({ first, before, line: number, edge, newest: anchor?.newest ?? 0 });
  }

  #checkOrder({ first, before }: WindowLine, count: number, line: number): void {
    if (first > count)
      this.#addFinding('missing', `records ${count} to ${first - 1} are missing, with their checkpoint`, line);
    else if (first < count) this.#addFinding('added', `records from ${first} on are repeated here`, line);
    else if (before !== this.#lastLine)
      this.#addFinding('checkpoint', `the checkpoint at ${count} has two versions`, line);
  }

  #openWindow(window: Omit<Window, 'exported' | 'records'>): void {
    this.#window = { ...window, exported: [], records: 0 };
    if (window.edge !== undefined) this.#keptCheckpoints.compare(window.edge);
  }

  record({ index, leaf, time = 0, id, line }: RecordEntry): void {
    if (this.#window === undefined) this.#openUnannounced(index, line);
    const window = this.#window;
    if (window === undefined) return;
    window.records += 1;
    if (window.exported.length <= windowRecordsMax) {
      const print = leaf === undefined ? {} : { print: printOf(leaf) };
      window.exported.push({ index, line, ...print, ...(id === undefined ? {} : { id }) });
    }
    if (leaf === undefined || window.edge?.count !== index) {
      window.edge = undefined;
      return;
    }
    window.edge.append(leaf);
    if (time > window.newest) window.newest = time;
    this.#keptCheckpoints.compare(window.edge);
  }

  /** Handles a record without a window line: it is assumed to follow the last checkpoint. */
  #openUnannounced(index: number, line: number): void {
    this.#addFinding('line', `record ${index} is where no records were announced`, line);
    const { count: first = index, newest = 0 } = this.#last ?? {};
    this.#openWindow({ first, before: this.#lastLine, line, edge: this.#edge?.copy(), newest });
  }

  checkpoint(signed: CheckpointLine, number: number): void {
    const window = this.#window;
    this.#window = undefined;
    const checkpoint = this.readSigned({ line: signed.checkpoint, signatures: signed.signatures }, number);
    if (checkpoint === undefined) {
      this.#edge = undefined;
      return;
    }
    const isConfirmed = window !== undefined && this.#isRoot(window, checkpoint);
    if (window === undefined)
      this.#addFinding('line', `the checkpoint at ${checkpoint.count} is where no records were announced`, number);
    else {
      if (!isConfirmed)
        this.#reportDifferences(window, checkpoint, readPrints(signed.prints, checkpoint.count - window.first), number);
      this.#checkChain(window, checkpoint, number);
    }
    this.#edge = isConfirmed ? window.edge : undefined;
    this.#last = checkpoint;
    this.#lastLine = signed.checkpoint;
  }

  /** Returns the checkpoint if it is of this partition and signed by a trusted key. */
  readSigned(signed: SignedLine, number?: number): Checkpoint | undefined {
    const checkpoint = readCheckpoint(signed.line);
    const { topic, partition } = this.partitionId;
    if (checkpoint?.topic !== topic || checkpoint.partition !== partition) {
      this.#addFinding('checkpoint', 'what should be a checkpoint is not one of this partition', number);
      return undefined;
    }
    const fault = this.#keyring.faultOf(checkpoint, signed);
    if (fault === undefined) {
      this.#trimmed = Math.max(this.#trimmed, checkpoint.trimmed);
      return checkpoint;
    }
    this.#addFinding('signature', `the checkpoint at ${checkpoint.count} ${fault}`, number);
    return undefined;
  }

  #isRoot({ edge }: Window, { count, root }: Checkpoint): boolean {
    return edge?.count === count && edge.root().toString('hex') === root;
  }

  /** Reports which records differ when the root is wrong. */
  #reportDifferences(window: Window, { count }: Checkpoint, signed: readonly number[] | undefined, line: number): void {
    const { first, exported, records } = window;
    const isNamed = signed !== undefined && records === exported.length;
    const differences = isNamed ? differencesOf(first, signed, exported) : [];
    const reported = differences.length > 0 || !isNamed ? differences : misnumbered(first, exported);
    for (const { kind, index, exported: record } of reported) {
      const { id, line: recordLine, index: statedIndex } = record ?? {};
      const details = {
        index,
        ...(id === undefined ? {} : { id }),
        ...(recordLine === undefined ? {} : { line: recordLine }),
      };
      this.#findings.addAt(kind, this.partitionId, describeDifference(kind, index, statedIndex), details);
    }
    if (reported.length === 0)
      this.#addFinding(
        'differs',
        `records ${first} to ${count - 1} are not those that the checkpoint at ${count} signs`,
        line,
      );
  }

  #checkChain(window: Window, checkpoint: Checkpoint, line: number): void {
    const { count, previous, newest } = checkpoint;
    const before = this.#lastLine === '' ? window.before : this.#lastLine;
    if (previous !== (before === '' ? '' : sha256Hex(before)))
      this.#addFinding('checkpoint', `the checkpoint at ${count} does not follow from the one before`, line);
    const { newest: minNewest = 0, trimmed = 0, time = 0 } = readCheckpoint(before) ?? {};
    if (newest < minNewest || checkpoint.trimmed < trimmed || checkpoint.time < time)
      this.#addFinding('checkpoint', `the checkpoint at ${count} takes back what the one before says`, line);
    if (window.edge !== undefined && window.edge.count === count && newest !== window.newest)
      this.#addFinding('checkpoint', `the checkpoint at ${count} does not state the time of its newest record`, line);
  }

  /** Checks the last records of the partition, which no checkpoint has signed yet. Returns how many. */
  tail(end: number, line: number): number {
    const window = this.#window;
    this.#window = undefined;
    if (window === undefined) {
      this.#addFinding('line', `the end at ${end} is where no records were announced`, line);
      return 0;
    }
    const { first, exported, records } = window;
    this.#tail ??= { first, line };
    for (const [at, { index, id, line: recordLine }] of exported.entries()) {
      if (index === first + at) continue;
      const details = { index: first + at, line: recordLine, ...(id === undefined ? {} : { id }) };
      this.#findings.addAt(
        'missing',
        this.partitionId,
        `is not here, record ${index} is in its place; neither is signed yet`,
        details,
      );
      return records;
    }
    if (first + records !== end)
      this.#addFinding('missing', `${end - first} unsigned records should be here, but ${records} are`, line);
    return records;
  }

  /** Ends an open window without its checkpoint, which should have come before the line that begins now. */
  close(): void {
    const window = this.#window;
    if (window === undefined) return;
    this.#window = undefined;
    this.#edge = undefined;
    const { first, records, line } = window;
    this.#addFinding('checkpoint', `the checkpoint after the ${records} records from ${first} on is missing`, line);
  }

  #addFinding(
    kind: 'missing' | 'added' | 'differs' | 'checkpoint' | 'signature' | 'line',
    message: string,
    line?: number,
  ): void {
    this.#findings.addAt(kind, this.partitionId, `: ${message}`, line === undefined ? {} : { line });
  }
}

function describeDifference(kind: string, index: number, statedIndex: number | undefined): string {
  if (kind === 'missing') return 'is missing';
  if (kind === 'added') return 'was added: no such record was signed here';
  if (kind === 'moved')
    return statedIndex === index
      ? 'is at another place than it was signed at'
      : `was moved: it is now record ${statedIndex}`;
  return statedIndex === index || statedIndex === undefined
    ? 'was changed'
    : `was changed: it bears the number ${statedIndex}`;
}
