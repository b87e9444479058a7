// How records stand in rows: those that are appended together share rows, as lines of JSON text.
import { topics, type TopicName } from '../../../domain/flow.ts';
import type { Encoded } from '../../appending/encoding.ts';
import type { Row, Rows } from '../commit/order.ts';

/** Reading one record reads its row: large enough to make rows cheap, small enough not to matter to a page. */
const rowBytesMax = 32 * 1024;

interface Filling {
  readonly partition: number;
  readonly key: string | null;
  readonly texts: string[];
  bytes: number;
}

/** By topic, in the order in which each topic's records come, which is the order of their offsets. */
export function rowsOf(encoded: readonly Encoded[]): readonly Rows[] {
  const filling = new Map<TopicName, Filling[]>();
  for (const record of encoded) {
    const rows = filling.get(record.topic) ?? [];
    if (rows.length === 0) filling.set(record.topic, rows);
    const last = rows.at(-1);
    if (last !== undefined && shares(last, record)) {
      last.texts.push(record.text);
      last.bytes += record.bytes;
    } else rows.push(fill(record));
  }
  return [...filling].map(([topic, rows]) => ({ topic, rows: rows.map(finished) }));
}

/** The texts of a row's records: JSON text has no line break of its own. */
export const textsOf = ({ count, lines }: Pick<Row, 'count' | 'lines'>): readonly string[] =>
  count === 1 ? [lines] : lines.split('\n');

function shares(row: Filling, { partition, bytes }: Encoded): boolean {
  return row.key === null && row.partition === partition && row.bytes + bytes <= rowBytesMax;
}

function fill({ topic, partition, key, text, bytes }: Encoded): Filling {
  return { partition, key: topics[topic].compacted ? key : null, texts: [text], bytes };
}

const finished = ({ partition, key, texts }: Filling): Row => ({
  partition,
  key,
  count: texts.length,
  lines: texts.join('\n'),
});
