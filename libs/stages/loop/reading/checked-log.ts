// Reads the log for stages: returns the usable records, and reports the others.
import type { OwningStage, PassingTopic, RequestTopic, TopicName } from '../../../domain/flow.ts';
import { Log } from '../../../log/log.ts';
import type { OutgoingOn, PageBounds, Position, Reply, Writer } from '../../../log/log.ts';
import { checkPage } from './check-page.ts';
import { CheckedTail } from './checked-tail.ts';
import type { Hold } from './checked-tail.ts';
import type { CheckedPage, MalformedRecord, ReadingTrouble } from './unusable.ts';

export class CheckedLog extends Log {
  readonly #log: Log;
  readonly #trouble: ReadingTrouble;

  constructor(log: Log, trouble: ReadingTrouble) {
    super();
    this.#log = log;
    this.#trouble = trouble;
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
      for (const one of page.malformed) this.#trouble.malformed(one);
      malformed.push(...page.malformed);
      if (page.records.length > 0 || raw.records.length === 0) return { ...page, malformed };
      if (newer !== undefined) {
        this.#trouble.newer(newer);
        throw newer;
      }
      offset = page.next;
    }
  }

  /** `hold`: which inputs a newer record in one partition stops. */
  tail<T extends TopicName>(
    from: readonly Position<T>[],
    bounds: PageBounds,
    hold: Hold = 'its partition',
  ): CheckedTail<T> {
    return new CheckedTail(this.#log.tail(from, bounds), { from, hold, trouble: this.#trouble });
  }

  end(topic: TopicName, partition: number): Promise<number> {
    return this.#log.end(topic, partition);
  }

  settledEnd(topic: TopicName, partition: number): Promise<number> {
    return this.#log.settledEnd(topic, partition);
  }

  trim(topic: PassingTopic, partition: number, below: number): Promise<void> {
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
