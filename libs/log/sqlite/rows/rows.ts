// Stores records in rows: records appended together share rows, as lines of JSON text.
import { topics, type TopicName } from '../../../domain/flow.ts';
import { Turn } from '../../../primitives/event-loop/turn.ts';
import { isTombstone, type EncodedRecord } from '../../appending/encoding.ts';

/** The most bytes of a row, read as a whole: large enough to make rows cheap, small compared with a page. */
const rowBytesMax = 32 * 1024;

/** A row of a topic's table, without its offset. */
export interface Row {
  readonly partition: number;
  /** null on topics that are not compacted. */
  readonly key: string | null;
  /** The number of records; each is a line of JSON text. */
  readonly count: number;
  readonly lines: string;
  /** A tombstone deletes the rows of its key, and is deleted itself once its readers have read it. */
  readonly isTombstone?: boolean;
}

/** Rows of one topic. */
export interface TopicRows {
  readonly topic: TopicName;
  readonly rows: readonly Row[];
}

/** A row as stored in the file: its lines are text, or a pack. */
export interface StoredRow extends Omit<Row, 'lines'> {
  readonly lines: string | Buffer;
}

export interface StoredTopicRows {
  readonly topic: TopicName;
  readonly rows: readonly StoredRow[];
}

/** The offsets of a row within its topic. */
export interface RowOffsets {
  /** The offset of its last record. */
  readonly offset: number;
  /** The number of its records. */
  readonly count: number;
}

interface OpenRow {
  readonly partition: number;
  readonly key: string | null;
  readonly texts: string[];
  readonly isTombstone: boolean;
  bytes: number;
}

/** Makes rows by topic; each topic's records keep their order, which is the order of their offsets. */
export function rowsOf(encoded: readonly EncodedRecord[]): readonly TopicRows[] {
  const builder = new RowsBuilder();
  for (const record of encoded) builder.add(record);
  return builder.build();
}

/** As `rowsOf`, in turns of the event loop, for a large append. */
export async function rowsInTurns(encoded: readonly EncodedRecord[]): Promise<readonly TopicRows[]> {
  const builder = new RowsBuilder();
  const turn = new Turn();
  for (const record of encoded) if (builder.add(record) && turn.isOver) await turn.next();
  return builder.build();
}

class RowsBuilder {
  readonly #byTopic = new Map<TopicName, { readonly full: Row[]; filling: OpenRow }>();

  /** Returns whether the record begins a row. */
  add(record: EncodedRecord): boolean {
    const rows = this.#byTopic.get(record.topic);
    if (rows === undefined) {
      this.#byTopic.set(record.topic, { full: [], filling: openRow(record) });
      return true;
    }
    const { filling } = rows;
    if (canShareRow(filling, record)) {
      filling.texts.push(record.text);
      filling.bytes += record.bytes;
      return false;
    }
    rows.full.push(closeRow(filling));
    rows.filling = openRow(record);
    return true;
  }

  build(): readonly TopicRows[] {
    return [...this.#byTopic].map(([topic, { full, filling }]) => ({ topic, rows: [...full, closeRow(filling)] }));
  }
}

/** A record's text and its offset. */
export interface RecordText {
  readonly offset: number;
  readonly text: string;
}

/** Returns the records of a row. JSON text contains no line breaks. */
export function recordsOf({ offset, count }: RowOffsets, lines: string): readonly RecordText[] {
  const texts = count === 1 ? [lines] : lines.split('\n');
  return texts.map((text, i) => ({ offset: offset - count + 1 + i, text }));
}

function canShareRow(row: OpenRow, { partition, bytes }: EncodedRecord): boolean {
  return row.key === null && row.partition === partition && row.bytes + bytes <= rowBytesMax;
}

function openRow({ topic, partition, key, text, bytes, record }: EncodedRecord): OpenRow {
  const rowKey = topics[topic].compacted ? key : null;
  return { partition, key: rowKey, texts: [text], isTombstone: isTombstone(topic, record), bytes };
}

const closeRow = ({ partition, key, texts, isTombstone: deletesKey }: OpenRow): Row => ({
  partition,
  key,
  count: texts.length,
  lines: texts.join('\n'),
  ...(deletesKey ? { isTombstone: true } : {}),
});
