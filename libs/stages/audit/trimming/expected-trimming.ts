// Finds how far retention will trim each partition, before it trims: removed records are signed as trimmed, not
// missing.
import { setTimeout as delay } from 'node:timers/promises';
import type { PartitionTree } from '../../../domain/audit/partition-tree.ts';
import { expiringTopics } from '../../../domain/flow.ts';
import type { ExpiringTopic } from '../../../domain/flow.ts';
import type { RetentionMoved } from '../../../domain/retention/messages.ts';
import { isExpiredRecord } from '../../../domain/views/deletion/expired-record.ts';
import type { LogRecord } from '../../../domain/message.ts';
import type { CheckedLog } from '../../loop/reading/checked-log.ts';

/** Some milliseconds of work. */
const pageBounds = { recordsMax: 500, bytesMax: 256 * 1024 };
/** The pause after a page, as a multiple of its time: no caller waits for expired records. */
const restFactor = 4;

const passing: ReadonlySet<string> = new Set(expiringTopics);
export const isPassing = (topic: string): topic is ExpiringTopic => passing.has(topic);

export interface ExpectedTrimmingOptions {
  readonly log: Pick<CheckedLog, 'read'>;
  readonly trees: readonly PartitionTree[];
  /** Called with errors of the log; it ends the stage's task. */
  readonly fail: (error: Error) => void;
  /** Called when every tree accounts for this retention record; `next`: the offset after the record. */
  readonly onDone: (next: number) => void;
}

interface PendingFact {
  readonly moved: RetentionMoved;
  readonly next: number;
}

export class ExpectedTrimming {
  readonly #options: ExpectedTrimmingOptions;
  /** The newest retention record that is not being processed yet. */
  #pendingFact: PendingFact | undefined;
  #isBusy = false;
  #closed = false;

  constructor(options: ExpectedTrimmingOptions) {
    this.#options = options;
  }

  /** Follows a newer retention record, which covers all earlier ones. */
  follow(moved: RetentionMoved, next: number): void {
    this.#pendingFact = { moved, next };
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.#work().then(
      () => (this.#isBusy = false),
      (error: unknown) => {
        if (!this.#closed) this.#options.fail(error instanceof Error ? error : new Error(String(error)));
      },
    );
  }

  close(): void {
    this.#closed = true;
  }

  async #work(): Promise<void> {
    for (let fact = this.#pendingFact; fact !== undefined && !this.#closed; fact = this.#pendingFact) {
      this.#pendingFact = undefined;
      for (const tree of this.#options.trees) await this.#trimTree(tree, fact.moved);
      if (!this.#closed) this.#options.onDone(fact.next);
    }
  }

  async #trimTree(tree: PartitionTree, moved: RetentionMoved): Promise<void> {
    while (!this.#closed && tree.trimmed.count < tree.count) {
      const startedAt = performance.now();
      if (!(await this.#trimPage(tree, moved))) return;
      await delay((performance.now() - startedAt) * restFactor, undefined, { ref: false });
    }
  }

  /**
   * Returns false where retention trims no further. Records that are not counted yet are compared when they are
   * counted.
   */
  async #trimPage(tree: PartitionTree, moved: RetentionMoved): Promise<boolean> {
    const { topic, partition, trimmed, offset: to } = tree;
    if (!isPassing(topic)) return false;
    const page = await this.#options.log.read(topic, partition, trimmed.offset, { ...pageBounds, to });
    const unusable = page.malformed.map(({ offset, record }) => ({ offset, record: record as unknown as LogRecord }));
    const all = [...page.records.map((record) => ({ offset: record.offset, record })), ...unusable];
    all.sort((one, other) => one.offset - other.offset);
    const firstKept = all.findIndex(({ record }) => !isExpiredRecord(topic, record, moved));
    const expired = firstKept === -1 ? all : all.slice(0, firstKept);
    const last = expired.at(-1);
    if (last === undefined) return false;
    tree.trimTo({ count: trimmed.count + expired.length, offset: last.offset + 1 });
    return firstKept === -1;
  }
}
