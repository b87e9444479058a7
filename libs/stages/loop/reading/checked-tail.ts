// Tails the log, returns only usable records, and stops for good at a record newer than this program.
import type { TopicName } from '../../../domain/flow.ts';
import { positionKey, Tail } from '../../../log/log.ts';
import type { Position } from '../../../log/log.ts';
import { checkPage } from './check-page.ts';
import type { CheckedPageOn, NewerRecordError, TroubleReporter } from './unusable.ts';

/** Which inputs a newer record stops: a stage cannot continue with half of its inputs, a follower can. */
export type HoldScope = 'its partition' | 'every input';

export interface CheckedTailOptions {
  readonly from: readonly Position[];
  readonly holdScope: HoldScope;
  readonly reporter: TroubleReporter;
}

export class CheckedTail<T extends TopicName = TopicName> extends Tail {
  readonly #tail: Tail;
  readonly #options: CheckedTailOptions;
  readonly #heldInputs = new Set<string>();
  #newer: NewerRecordError | undefined;

  constructor(tail: Tail, options: CheckedTailOptions) {
    super();
    this.#tail = tail;
    this.#options = options;
  }

  /** The first newer record that was read. It is never cleared, since a record's version never changes. */
  get newer(): NewerRecordError | undefined {
    return this.#newer;
  }

  isHeld(topic: TopicName, partition: number): boolean {
    return this.#heldInputs.has(positionKey(topic, partition));
  }

  /** A page can hold malformed records only. */
  async next(waitMs: number): Promise<readonly CheckedPageOn<T>[]> {
    const pages: CheckedPageOn<T>[] = [];
    for (const raw of await this.#tail.next(waitMs)) {
      if (this.isHeld(raw.topic, raw.partition)) continue;
      const { page, newer } = checkPage<CheckedPageOn<T>>(raw);
      for (const one of page.malformed) this.#options.reporter.reportMalformed(one);
      if (newer === undefined || page.records.length + page.malformed.length > 0) pages.push(page);
      if (newer !== undefined) this.#stopAt(newer);
    }
    return pages;
  }

  pause(topic: TopicName, partition: number): void {
    this.#tail.pause(topic, partition);
  }

  resume(topic: TopicName, partition: number): void {
    if (!this.isHeld(topic, partition)) this.#tail.resume(topic, partition);
  }

  close(): Promise<void> {
    return this.#tail.close();
  }

  #stopAt(newer: NewerRecordError): void {
    const { from, holdScope, reporter } = this.#options;
    this.#newer ??= newer;
    const stoppedInputs = holdScope === 'every input' ? from : [newer];
    for (const { topic, partition } of stoppedInputs) {
      this.#heldInputs.add(positionKey(topic, partition));
      this.#tail.pause(topic, partition);
    }
    reporter.reportNewer(newer);
  }
}
