// Packs appends and their outcomes for the other thread: flat lists take a third of the time of nested objects.
import type { OwningStage, TopicName } from '../../../../domain/flow.ts';
import type { Row, Rows } from '../../rows/rows.ts';
import type { AppendOrder, Done, Outcome, Packed, PackedAppend, PackedDone } from '../order.ts';

export function packAppend({ id, bytes, topics, marked }: AppendOrder): PackedAppend {
  const values: Packed[] = [id, bytes, topics.length];
  for (const { topic, rows } of topics) {
    values.push(topic, rows.length);
    for (const { partition, key, count, lines, isTombstone = false } of rows)
      values.push(partition, key, count, lines, isTombstone);
  }
  if (marked === null) return values;
  const { claim, mark } = marked;
  values.push(claim.stage, claim.partition, claim.generation, mark.generation, mark.batch);
  for (const [place, next] of Object.entries(mark.positions)) values.push(place, next);
  return values;
}

export function unpackAppend(packed: PackedAppend): AppendOrder {
  const values = new FlatReading(packed);
  const [id, bytes] = [values.number(), values.number()];
  const topics = times<Rows>(values.number(), () => {
    const topic = values.text() as TopicName;
    return { topic, rows: times(values.number(), () => rowIn(values)) };
  });
  return { kind: 'append', id, bytes, topics, marked: values.isOver ? null : markedIn(values) };
}

function rowIn(values: FlatReading): Row {
  const [partition, key, count] = [values.number(), values.next() as string | null, values.number()];
  const lines = values.text();
  return values.next() === true
    ? { partition, key, count, lines, isTombstone: true }
    : { partition, key, count, lines };
}

function markedIn(values: FlatReading): NonNullable<AppendOrder['marked']> {
  const claim = { stage: values.text() as OwningStage, partition: values.number(), generation: values.number() };
  const [generation, batch] = [values.number(), values.number()];
  const positions: Record<string, number> = {};
  while (!values.isOver) positions[values.text()] = values.number();
  return { claim, mark: { positions, generation, batch } };
}

/** Packs the outcome of an append; a failure stays unchanged. */
export function packOutcome(outcome: Outcome): Outcome | PackedDone {
  if ('code' in outcome) return outcome;
  const { id, written, firstOffsets } = outcome;
  return [id, written?.text ?? null, written?.offset ?? 0, ...firstOffsets];
}

/** Leaves out the mark, which is the one of the order. */
export function unpackDone([id, text, offset, ...firstOffsets]: PackedDone): Done {
  return { id, firstOffsets, written: text === null ? null : { text, offset } };
}

/** Reads the values in the order in which they were packed. */
class FlatReading {
  readonly #values: PackedAppend;
  #at = 0;

  constructor(values: PackedAppend) {
    this.#values = values;
  }

  get isOver(): boolean {
    return this.#at >= this.#values.length;
  }

  next(): Packed | undefined {
    return this.#values[this.#at++];
  }

  number(): number {
    return this.next() as number;
  }

  text(): string {
    return this.next() as string;
  }
}

const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);
