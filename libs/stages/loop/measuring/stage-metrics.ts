// Counts the records that a stage reads, and the ended runs and attempts that it appended to the log.
import type { TopicName } from '../../../domain/flow.ts';
import type { StoredRecord } from '../../../domain/message.ts';
import type { MessageOn } from '../../../domain/messages-of.ts';
import type { OutgoingOn } from '../../../log/log.ts';
import type { Family, Labels } from '../../../primitives/metrics/family.ts';
import { Memo } from '../../../primitives/metrics/memo.ts';
import type { Metrics } from '../../../primitives/metrics/metrics.ts';
import type { Count, Histogram } from '../../../primitives/metrics/series.ts';
import { families, parkedReasons } from './families.ts';

export class StageMetrics {
  readonly #recoveries: Count;
  readonly #records: Memo<string, Count>;
  /** By kind, then by outcome. */
  readonly #runs: Memo<string, Memo<string, Count>>;
  readonly #runDurations: Memo<string, Histogram>;
  readonly #events: Count;
  readonly #latencies: Memo<string, Histogram>;
  readonly #parked: Memo<string, Count>;

  constructor(metrics: Metrics, stage: string) {
    const counts = (family: Family, labels: (name: string) => Labels): Memo<string, Count> =>
      new Memo((name) => metrics.count(family, labels(name)));
    this.#recoveries = metrics.count(families.recoveries, { stage });
    this.#records = counts(families.records, (topic) => ({ stage, topic }));
    this.#runs = new Memo((kind) => counts(families.runs, (outcome) => ({ kind, outcome })));
    this.#runDurations = new Memo((kind) => metrics.histogram(families.runDuration, { kind }));
    this.#events = metrics.count(families.events, {});
    this.#latencies = new Memo((attempt) => metrics.histogram(families.latency, { attempt }));
    this.#parked = counts(families.parked, (reason) => ({ reason }));
    // Alert rules watch the increase of this counter, and a series that appears with its first count shows none.
    if (stage === 'delivery') for (const reason of parkedReasons) this.#parked.of(reason);
  }

  /** Counts one page of one input. */
  countHandled(records: readonly StoredRecord[]): void {
    const [first] = records;
    if (first !== undefined) this.#records.of(first.topic).value += records.length;
  }

  countRecovery(): void {
    this.#recoveries.value++;
  }

  /** Counts outputs after the log has stored them. */
  countAppended(records: readonly OutgoingOn[]): void {
    for (const { record } of records) this.#countOutput(record);
  }

  #countOutput({ type, data, at }: MessageOn<TopicName>): void {
    switch (type) {
      case 'EventEmitted':
        this.#events.value++;
        return;
      case 'RunFinished':
        this.#runs.of(data.kind).of(data.outcome).value++;
        if (data.outcome !== 'refused') this.#runDurations.of(data.kind).observe(data.durationMs / 1_000);
        return;
      case 'DeliveryAttempted':
        // A replay sends events that can be months old.
        if (data.outcome !== 'delivered' || data.replayId !== undefined) return;
        this.#latencies.of(data.attempt === 1 ? 'first' : 'retry').observe(secondsBetween(data.eventId, at));
        return;
      case 'DeliveryParked':
        this.#parked.of(data.reason).value++;
        return;
      default:
    }
  }
}

/** An event's id begins with its time of emission; clocks of machines differ, so a negative result becomes 0. */
const secondsBetween = (eventId: string, at: number): number => Math.max(0, at - Number.parseInt(eventId, 10)) / 1_000;
