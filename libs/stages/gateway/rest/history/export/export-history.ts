// Writes an export of history in the order of the checkpoints, so that it takes a constant amount of memory.
import { partitionCount, signedTopics } from '../../../../../domain/flow.ts';
import type { Log } from '../../../../../log/log.ts';
import {
  clockSlackMs,
  exportVersion,
  placeName,
  type WindowLine,
  workspaceHash,
} from '../../../../../verifier/export/file/format.ts';
import type { Leaf } from '../../../../../verifier/leaf.ts';
import { checkpointsAt, checkpointsFrom, type SignedCheckpoint } from '../signed/checkpoints.ts';
import type { Trees } from '../signed/trees.ts';
import { recordsIn, type Stretch } from '../signed/window-records.ts';
import type { ExportPosition } from './export-cursor.ts';
import { ExportText } from './export-text.ts';
import { ExportedPartition, type SignedPlace } from './exported-partition.ts';

export interface ExportAsked {
  readonly workspace: string;
  readonly position: Omit<ExportPosition, 'next'>;
  /** Where an interrupted export continues. */
  readonly begun?: { readonly cursor: string; readonly records: number; readonly next: number } | undefined;
}

interface Sources {
  readonly log: Log;
  readonly trees: Trees;
}

/** The text is sent in pieces of about this size. */
const chunkChars = 64 * 1024;

/** Yields pieces of ten KiB to a MiB, each made on demand. */
export async function* exportHistory({ log, trees }: Sources, asked: ExportAsked): AsyncGenerator<string> {
  await trees.catchUp();
  yield* new HistoryExport({ log, trees }, asked).all();
}

class HistoryExport {
  readonly #log: Log;
  readonly #trees: Trees;
  readonly #asked: ExportAsked;
  readonly #ownHash: string;
  readonly #text: ExportText;
  readonly #partitions: ReadonlyMap<string, ExportedPartition>;

  constructor({ log, trees }: Sources, asked: ExportAsked) {
    this.#log = log;
    this.#trees = trees;
    this.#asked = asked;
    this.#ownHash = workspaceHash(asked.workspace);
    this.#text = new ExportText(asked.begun);
    const span = { from: asked.position.from, until: asked.position.to + clockSlackMs };
    this.#partitions = new Map(
      placesOf(log).map((place) => {
        const head = trees.headOf(place.topic, place.partition);
        return [placeName(place), new ExportedPartition(place, head, span)];
      }),
    );
  }

  async *all(): AsyncGenerator<string> {
    if (this.#asked.begun === undefined) yield this.#beginning();
    yield* this.#windows();
    for (const partition of this.#partitions.values()) if (partition.hasTail) yield* this.#tail(partition);
    this.#text.end();
    yield this.#text.take();
  }

  #beginning(): string {
    const { workspace, position } = this.#asked;
    const { from, to, at } = position;
    const keys = this.#trees.keys.map(({ keyId, publicKey }) => ({ id: keyId, publicKey }));
    const topics = signedTopics.map((topic) => ({ topic, partitions: partitionCount(topic, this.#log.partitions) }));
    this.#text.line({ wellspring: 'history', version: exportVersion, workspace, from, to, at, keys, topics });
    for (const { place, head } of this.#partitions.values()) {
      const newest = head === undefined ? null : { line: head.line, signatures: head.signatures };
      this.#text.line({ ...place, newest });
    }
    return this.#text.take();
  }

  /** Every part of history between two checkpoints that overlaps the requested time. */
  async *#windows(): AsyncGenerator<string> {
    const { position, begun } = this.#asked;
    if (this.#isDone) return;
    for await (const signed of checkpointsFrom(this.#log, await checkpointsAt(this.#log, position.from))) {
      const partition = this.#partitions.get(placeName(signed.data));
      if (partition?.takes(signed) !== true) continue;
      // Windows that the file already holds are only counted, to know how far each partition has been exported.
      if (begun === undefined || signed.offset >= begun.next) yield* this.#window(signed, partition);
      partition.took(signed);
      if (this.#isDone) return;
    }
  }

  get #isDone(): boolean {
    return [...this.#partitions.values()].every(({ isDone }) => isDone);
  }

  async *#window(signed: SignedCheckpoint, { place, earlier }: ExportedPartition): AsyncGenerator<string> {
    const { window, line, signatures, prints } = signed.data;
    const { first, edge, before, offset, end } = window;
    this.#part({ ...place, first, edge, before, earlier });
    yield* this.#records({ ...place, from: offset, to: end }, { next: first });
    this.#text.line({ ...place, checkpoint: line, signatures, prints });
    this.#text.cursor({ ...this.#asked.position, next: signed.offset + 1 });
    yield this.#text.take();
  }

  /** The records that no checkpoint has signed yet. Written even if empty if it shows how far back the export goes. */
  async *#tail({ place, head, isCut, earlier }: ExportedPartition): AsyncGenerator<string> {
    const { topic, partition } = place;
    const { count: first = 0, offset: from = 0, edge = [], line: before = '' } = head ?? {};
    const to = await this.#log.end(topic, partition);
    const { records } = await this.#log.read(topic, partition, from, { recordsMax: 1, bytesMax: 1, to });
    if (records.length === 0 && !isCut) return;
    this.#part({ ...place, first, edge, before, earlier });
    const counter = { next: first };
    yield* this.#records({ ...place, from, to }, counter);
    this.#text.line({ ...place, end: counter.next });
    yield this.#text.take();
  }

  #part({ earlier, ...line }: Omit<WindowLine, 'earlier'> & { readonly earlier: string | undefined }): void {
    this.#text.line({ ...line, ...(earlier === undefined ? {} : { earlier }) });
  }

  /** `counter`: the number of the next record. */
  async *#records(stretch: Stretch, counter: { next: number }): AsyncGenerator<string> {
    const place = { topic: stretch.topic, partition: stretch.partition };
    let chars = 0;
    for await (const { line, leaf } of recordsIn(this.#log, stretch)) {
      if (this.#isAsked(leaf)) this.#text.event(place, counter.next, line);
      else this.#text.outside(place, counter.next, leaf);
      counter.next += 1;
      chars += line.length;
      if (chars < chunkChars) continue;
      chars = 0;
      yield this.#text.take();
    }
  }

  #isAsked({ time, workspace }: Leaf): boolean {
    const { from, to } = this.#asked.position;
    return workspace === this.#ownHash && time >= from && time < to;
  }
}

function placesOf(log: Log): readonly SignedPlace[] {
  return signedTopics.flatMap((topic) =>
    Array.from({ length: partitionCount(topic, log.partitions) }, (_, partition) => ({ topic, partition })),
  );
}
