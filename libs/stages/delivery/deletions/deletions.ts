// Drops events that were deleted before they were delivered: begins no further attempt, and counts each such event.
import { setTimeout as delay } from 'node:timers/promises';
import type { Ambient } from '../../../domain/ambient.ts';
import type { ChannelEvent } from '../../../domain/channel/messages.ts';
import { isEverySource } from '../../../domain/delivery/matching.ts';
import type { StoredRecord } from '../../../domain/message.ts';
import type { Semaphore } from '../../../primitives/sharing/semaphore.ts';
import type { TaskContext } from '../../loop/stage.ts';
import { reread } from '../events/buffer.ts';
import type { BufferedEvent } from '../events/buffer.ts';
import type { SourceCursor } from '../cursors/source-cursor.ts';
import { lowestNeeded } from '../cursors/lowest-needed.ts';
import type { Registry } from '../subscriptions/subscription-registry.ts';
import type { Outbox } from '../outbox.ts';
import type { BlockedAlerts } from '../settling/blocked-alerts.ts';
import { DeletedEvents } from './deleted-events.ts';
import type { KeptDeletion } from './deleted-events.ts';
import { dropDeleted } from './drop-deleted.ts';
import { deletionKept, deletionPassed } from './deletion-records.ts';

export type DeletionFact = StoredRecord<Extract<ChannelEvent, { readonly type: 'EventsDeleted' }>>;

/** The time between sweeps of the facts that every cursor has passed; longer when a sweep takes long. */
const sweepMs = 1_000;
const pauseFactor = 9;

export interface DeletionsOptions {
  readonly context: Pick<TaskContext, 'log' | 'partition' | 'fail'>;
  readonly readSlots: Semaphore;
  readonly outbox: Outbox;
  readonly registry: Registry;
  readonly ambient: Ambient;
  readonly blocked: BlockedAlerts;
  readonly logError: (message: string, details: object) => void;
  /** Called when the cursor might be able to continue. */
  readonly onFreed: (cursor: SourceCursor) => void;
}

export class Deletions {
  readonly #options: DeletionsOptions;
  readonly #deleted = new DeletedEvents();
  /** Sources whose cursors' heads must be checked. */
  readonly #headsToCheck = new Set<string>();
  #isChecking = false;
  #sweepTimer: NodeJS.Timeout | undefined;
  #closed = false;

  /** `kept`: the deletions on the log, in order. */
  constructor(options: DeletionsOptions, kept: readonly KeptDeletion[]) {
    this.#options = options;
    for (const fact of kept) this.#deleted.add(fact);
  }

  /** Continues with the deletions on the log. */
  start(): void {
    for (const { emitterId } of this.#deleted.sources) this.#headsToCheck.add(emitterId);
    if (!this.#deleted.isEmpty) this.#startChecks();
  }

  /** Takes a fact at or below the tail. Keeps it in memory and on the log while a cursor has events below it. */
  addFact({ workspace, offset, data }: DeletionFact): void {
    const { outbox, context, ambient, logError } = this.#options;
    const fact = { ...data, workspace, offset };
    // Thousands of searches can read the same fact.
    if (this.#deleted.knows(fact) || !this.#listeningCursors(fact).some(hasUnfinished)) return;
    const added = this.#deleted.add(fact);
    if (added === 'too_many')
      logError('Too many deletions wait for slow subscriptions: events of this deletion may still be delivered.', {
        emitterId: data.emitterId,
      });
    if (added !== 'added') return;
    const { partition } = context;
    outbox.appendNow({ topic: 'cursors', partition, record: deletionKept(fact, partition, ambient.now()) });
    this.#headsToCheck.add(data.emitterId);
    this.#startChecks();
  }

  isDeleted(event: Pick<BufferedEvent, 'emitterId' | 'eventId' | 'channel'>): boolean {
    return !this.#deleted.isEmpty && this.#deleted.has(event);
  }

  /** Drops and counts the cursor's next events as long as they are deleted; returns whether it dropped any. */
  dropNextDeleted(cursor: SourceCursor): boolean {
    let passed = false;
    for (let event = cursor.nextEvent; event !== undefined && this.isDeleted(event); event = cursor.nextEvent) {
      cursor.dropNext();
      passed = true;
    }
    if (passed) this.#options.outbox.touch(cursor);
    return passed;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#sweepTimer);
  }

  #startChecks(): void {
    if (this.#closed) return;
    this.#sweepTimer ??= setTimeout(() => this.#sweep(), sweepMs).unref();
    if (this.#isChecking) return;
    this.#isChecking = true;
    this.#checkHeads().then(
      () => {
        this.#isChecking = false;
        if (this.#headsToCheck.size > 0) this.#startChecks();
      },
      (error: unknown) => {
        if (!this.#closed) this.#options.context.fail(error instanceof Error ? error : new Error(String(error)));
      },
    );
  }

  /** Drops deleted events that failed and block their cursor or key. Others that were set aside end at their retry. */
  async #checkHeads(): Promise<void> {
    // Handles the deletes of one turn of the event loop together.
    await new Promise((resolve) => setImmediate(resolve));
    for (const emitterId of this.#headsToCheck) {
      const startedAt = performance.now();
      this.#headsToCheck.delete(emitterId);
      for (const cursor of this.#cursorsOf(emitterId)) await this.#checkCursor(cursor);
      // Leaves time for cursors that catch up, which need the same few read slots.
      if (this.#headsToCheck.size > 0)
        await delay((performance.now() - startedAt) * pauseFactor, undefined, { ref: false });
    }
  }

  async #checkCursor(cursor: SourceCursor): Promise<void> {
    const { context, readSlots, onFreed } = this.#options;
    for (const { offset, attempts, orderKey } of cursor.unfinished()) {
      const isHead = orderKey !== undefined || cursor.retries.get(offset) === undefined;
      if (attempts === 0 || !isHead || cursor.subscription.closed) continue;
      const event = await readSlots.run(() => reread(context, offset));
      if (this.#closed) return;
      if (event === undefined || !this.isDeleted(event) || cursor.attemptsAt(offset) === undefined) continue;
      dropDeleted(cursor, event, this.#options);
      onFreed(cursor);
    }
  }

  #cursorsOf(emitterId: string): readonly SourceCursor[] {
    const workspace = this.#deleted.workspaceOf(emitterId);
    return workspace === undefined ? [] : this.#listeningCursors({ emitterId, workspace });
  }

  #listeningCursors({
    emitterId,
    workspace,
  }: {
    readonly emitterId: string;
    readonly workspace: string;
  }): SourceCursor[] {
    const cursors: SourceCursor[] = [];
    for (const { cursors: own, replays } of this.#options.registry.listeningTo(workspace, emitterId)) {
      const cursor = own?.get(emitterId);
      if (cursor !== undefined) cursors.push(cursor);
      for (const replay of replays ?? []) if (matches(replay, emitterId)) cursors.push(replay);
    }
    return cursors;
  }

  #lowestNeeded(source: { readonly emitterId: string; readonly workspace: string }): number {
    let lowest = Infinity;
    for (const cursor of this.#listeningCursors(source)) {
      lowest = Math.min(lowest, lowestNeeded(cursor));
    }
    return lowest;
  }

  /** Drops the facts that every cursor has passed; on the log, only after the records of those cursors. */
  #sweep(): void {
    const { outbox, context, ambient } = this.#options;
    const startedAt = performance.now();
    for (const source of this.#deleted.sources) {
      for (const fact of this.#deleted.removePassed(source.emitterId, this.#lowestNeeded(source))) {
        const { partition } = context;
        outbox.appendLast({ topic: 'cursors', partition, record: deletionPassed(fact, partition, ambient.now()) });
      }
    }
    const waitMs = Math.max(sweepMs, (performance.now() - startedAt) * pauseFactor);
    this.#sweepTimer = this.#deleted.isEmpty ? undefined : setTimeout(() => this.#sweep(), waitMs).unref();
  }
}

/** Whether the cursor is for the source; a replay's cursor can be for every source. */
const matches = ({ emitterId: of }: SourceCursor, emitterId: string): boolean => of === emitterId || isEverySource(of);

const hasUnfinished = ({ unreadFrom, position, retries, keyOrder }: SourceCursor): boolean =>
  unreadFrom !== null || position.open.length > 0 || retries.size > 0 || keyOrder?.isEmpty === false;
