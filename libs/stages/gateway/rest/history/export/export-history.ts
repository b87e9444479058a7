// Writes an export of history in the order of the checkpoints, so that it takes a constant amount of memory.
import { partitionCount, signedTopics } from '../../../../../domain/flow.ts';
import type { Log } from '../../../../../log/log.ts';
import {
  clockSlackMs,
  exportVersion,
  partitionName,
  type WindowLine,
  workspaceHash,
} from '../../../../../verifier/export/file/format.ts';
import type { Leaf } from '../../../../../verifier/leaf.ts';
import { checkpointOffsetAt, checkpointsFrom, type SignedCheckpoint } from '../signed/checkpoints.ts';
import type { Trees } from '../signed/trees.ts';
import { readRecordsIn, type RecordRange } from '../signed/window-records.ts';
import type { ExportPosition } from './export-cursor.ts';
import { ExportText } from './export-text.ts';
import { ExportedPartition, type SignedPartitionId } from './exported-partition.ts';

export interface ExportRequest {
  readonly workspace: string;
  readonly position: Omit<ExportPosition, 'next'>;
  /** Where an interrupted export continues. */
  readonly resumeFrom?: { readonly cursor: string; readonly records: number; readonly next: number } | undefined;
}

interface SignedLog {
  readonly log: Log;
  readonly trees: Trees;
}

/** The text is sent in pieces of about this size. */
const chunkChars = 64 * 1024;

/** Yields pieces of ten KiB to a MiB, each made on demand. */
export async function* exportHistory({ log, trees }: SignedLog, request: ExportRequest): AsyncGenerator<string> {
  await trees.catchUp();
  yield* new HistoryExport({ log, trees }, request).chunks();
}

class HistoryExport {
  readonly #log: Log;
  readonly #trees: Trees;
  readonly #request: ExportRequest;
  readonly #ownHash: string;
  readonly #text: ExportText;
  readonly #partitions: ReadonlyMap<string, ExportedPartition>;

  constructor({ log, trees }: SignedLog, request: ExportRequest) {
    this.#log = log;
    this.#trees = trees;
    this.#request = request;
    this.#ownHash = workspaceHash(request.workspace);
    this.#text = new ExportText(request.resumeFrom);
    const span = { from: request.position.from, until: request.position.to + clockSlackMs };
    this.#partitions = new Map(
      signedPartitionIds(log).map((partitionId) => {
        const head = trees.headOf(partitionId.topic, partitionId.partition);
        return [partitionName(partitionId), new ExportedPartition(partitionId, head, span)];
      }),
    );
  }

  async *chunks(): AsyncGenerator<string> {
    if (this.#request.resumeFrom === undefined) yield this.#writeHeader();
    yield* this.#writeWindows();
    for (const partition of this.#partitions.values()) if (partition.hasTail) yield* this.#writeTail(partition);
    this.#text.addEnd();
    yield this.#text.takeText();
  }

  #writeHeader(): string {
    const { workspace, position } = this.#request;
    const { from, to, at } = position;
    const keys = this.#trees.keys.map(({ keyId, publicKey }) => ({ id: keyId, publicKey }));
    const topics = signedTopics.map((topic) => ({ topic, partitions: partitionCount(topic, this.#log.partitions) }));
    this.#text.addLine({ wellspring: 'history', version: exportVersion, workspace, from, to, at, keys, topics });
    for (const { partitionId, head } of this.#partitions.values()) {
      const newest = head === undefined ? null : { line: head.line, signatures: head.signatures };
      this.#text.addLine({ ...partitionId, newest });
    }
    return this.#text.takeText();
  }

  /** Every part of history between two checkpoints that overlaps the requested time. */
  async *#writeWindows(): AsyncGenerator<string> {
    const { position, resumeFrom } = this.#request;
    if (this.#isDone) return;
    for await (const signed of checkpointsFrom(this.#log, await checkpointOffsetAt(this.#log, position.from))) {
      const partition = this.#partitions.get(partitionName(signed.data));
      if (partition?.shouldExport(signed) !== true) continue;
      // Windows that the file already holds are only counted, to know how far each partition has been exported.
      if (resumeFrom === undefined || signed.offset >= resumeFrom.next) yield* this.#writeWindow(signed, partition);
      partition.markExported(signed);
      if (this.#isDone) return;
    }
  }

  get #isDone(): boolean {
    return [...this.#partitions.values()].every(({ isDone }) => isDone);
  }

  async *#writeWindow(signed: SignedCheckpoint, { partitionId, earlier }: ExportedPartition): AsyncGenerator<string> {
    const { window, line, signatures, prints } = signed.data;
    const { first, edge, before, offset, end } = window;
    this.#addWindowStart({ ...partitionId, first, edge, before, earlier });
    yield* this.#writeRecords({ ...partitionId, from: offset, to: end }, { next: first });
    this.#text.addLine({ ...partitionId, checkpoint: line, signatures, prints });
    this.#text.addCursor({ ...this.#request.position, next: signed.offset + 1 });
    yield this.#text.takeText();
  }

  /** The records that no checkpoint has signed yet. Written even if empty if it shows how far back the export goes. */
  async *#writeTail({ partitionId, head, isTrimmed, earlier }: ExportedPartition): AsyncGenerator<string> {
    const { topic, partition } = partitionId;
    const { count: first = 0, offset: from = 0, edge = [], line: before = '' } = head ?? {};
    const to = await this.#log.end(topic, partition);
    const { records } = await this.#log.read(topic, partition, from, { recordsMax: 1, bytesMax: 1, to });
    if (records.length === 0 && !isTrimmed) return;
    this.#addWindowStart({ ...partitionId, first, edge, before, earlier });
    const counter = { next: first };
    yield* this.#writeRecords({ ...partitionId, from, to }, counter);
    this.#text.addLine({ ...partitionId, end: counter.next });
    yield this.#text.takeText();
  }

  #addWindowStart({ earlier, ...line }: Omit<WindowLine, 'earlier'> & { readonly earlier: string | undefined }): void {
    this.#text.addLine({ ...line, ...(earlier === undefined ? {} : { earlier }) });
  }

  /** `counter`: the number of the next record. */
  async *#writeRecords(range: RecordRange, counter: { next: number }): AsyncGenerator<string> {
    const partitionId = { topic: range.topic, partition: range.partition };
    let chars = 0;
    for await (const { line, leaf } of readRecordsIn(this.#log, range)) {
      if (this.#isRequested(leaf)) this.#text.addEvent(partitionId, counter.next, line);
      else this.#text.addOutside(partitionId, counter.next, leaf);
      counter.next += 1;
      chars += line.length;
      if (chars < chunkChars) continue;
      chars = 0;
      yield this.#text.takeText();
    }
  }

  #isRequested({ time, workspace }: Leaf): boolean {
    const { from, to } = this.#request.position;
    return workspace === this.#ownHash && time >= from && time < to;
  }
}

function signedPartitionIds(log: Log): readonly SignedPartitionId[] {
  return signedTopics.flatMap((topic) =>
    Array.from({ length: partitionCount(topic, log.partitions) }, (_, partition) => ({ topic, partition })),
  );
}
