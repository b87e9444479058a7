// Reads the log for stages: returns the usable records, and reports the others.
import type { OwningStage, ExpiringTopic, RequestTopic, TopicName } from '../../../domain/flow.ts';
import { Log } from '../../../log/log.ts';
import type { OutgoingOn, PageBounds, Position, Reply, Writer } from '../../../log/log.ts';
import { checkPage } from './check-page.ts';
import { CheckedTail } from './checked-tail.ts';
import type { HoldScope } from './checked-tail.ts';
import type { CheckedPage, MalformedRecord, TroubleReporter } from './unusable.ts';

export class CheckedLog extends Log {
  readonly #log: Log;
  readonly #reporter: TroubleReporter;

  constructor(log: Log, reporter: TroubleReporter) {
    super();
    this.#log = log;
    this.#reporter = reporter;
  }

  get partitions(): number {
    return this.#log.partitions;
  }

  own(stage: OwningStage, partition: number): Promise<Writer> {
    return this.#log.own(stage, partition);
  }

  request(request: OutgoingOn<RequestTopic>): Promise<number> {
    return this.#log.request(request);
  }

  /**
   * As the port promises, a page is empty only at the end: after a page without usable records it reads the next one.
   * Throws NewerRecordError when no usable record comes before the newer one.
   */
  async read<T extends TopicName>(
    topic: T,
    partition: number,
    from: number,
    bounds: PageBounds,
  ): Promise<CheckedPage<T>> {
    const malformed: MalformedRecord[] = [];
    for (let offset = from; ;) {
      const raw = await this.#log.read(topic, partition, offset, bounds);
      const { page, newer } = checkPage<CheckedPage<T>>(raw);
      for (const one of page.malformed) this.#reporter.reportMalformed(one);
      malformed.push(...page.malformed);
      if (page.records.length > 0 || raw.records.length === 0) return { ...page, malformed };
      if (newer !== undefined) {
        this.#reporter.reportNewer(newer);
        throw newer;
      }
      offset = page.next;
    }
  }

  /** `holdScope`: which inputs a newer record in one partition stops. */
  tail<T extends TopicName>(
    from: readonly Position<T>[],
    bounds: PageBounds,
    holdScope: HoldScope = 'its partition',
  ): CheckedTail<T> {
    return new CheckedTail(this.#log.tail(from, bounds), { from, holdScope, reporter: this.#reporter });
  }

  end(topic: TopicName, partition: number): Promise<number> {
    return this.#log.end(topic, partition);
  }

  settledEnd(topic: TopicName, partition: number): Promise<number> {
    return this.#log.settledEnd(topic, partition);
  }

  trim(topic: ExpiringTopic, partition: number, below: number): Promise<void> {
    return this.#log.trim(topic, partition, below);
  }

  reply(gateway: string, reply: Reply): void {
    this.#log.reply(gateway, reply);
  }

  onReply(gateway: string, receive: (reply: Reply) => void): () => void {
    return this.#log.onReply(gateway, receive);
  }

  close(): Promise<void> {
    return this.#log.close();
  }
}
