// Group commit: one commit at a time; entries that arrive meanwhile share the next one.
import { setTimeout as delay } from 'node:timers/promises';
import { PortError } from '../../../domain/port-error.ts';
import type { OutboundRecord } from '../kafkajs/producer/outbound-record.ts';
import { limits } from '../kafka-limits.ts';

/** The rows that one caller wants appended, all or none. */
export interface Entry {
  readonly rows: readonly OutboundRecord[];
  readonly bytes: number;
}

interface PendingEntry<E extends Entry> {
  readonly entry: E;
  readonly resolve: (offsets: readonly number[]) => void;
  readonly reject: (error: unknown) => void;
}

export interface GroupCommitOptions<E extends Entry> {
  /** Appends the entries; returns the offsets of all their rows in order. */
  readonly commit: (entries: readonly E[]) => Promise<readonly number[]>;
  readonly groupBytesMax: number;
  /**
   * After a commit that several entries shared: the least time from its start to the next commit, so that more entries
   * share that one. Default 0.
   */
  readonly gatherMs?: number;
}

export class GroupCommit<E extends Entry> {
  readonly #options: GroupCommitOptions<E>;
  readonly #pending: PendingEntry<E>[] = [];
  #pendingBytes = 0;
  #running: Promise<void> | undefined;

  constructor(options: GroupCommitOptions<E>) {
    this.#options = options;
  }

  /** Throws PortError `unavailable` when too much waits already. */
  submit(entry: E): Promise<readonly number[]> {
    if (this.#pendingBytes + entry.bytes > limits.pendingBytes && this.#pending.length > 0)
      throw new PortError('unavailable', `${this.#pending.length} appends wait for Kafka already; try again later`);
    return new Promise((resolve, reject) => {
      this.#pending.push({ entry, resolve, reject });
      this.#pendingBytes += entry.bytes;
      this.#running ??= this.#run();
    });
  }

  /** Resolves when nothing waits and nothing is being committed. */
  async waitUntilIdle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#pending.length > 0) {
      const group = this.#takeGroup();
      const startedAt = performance.now();
      try {
        this.#resolveGroup(group, await this.#options.commit(group.map(({ entry }) => entry)));
        if (group.length > 1) await this.#waitToGather(performance.now() - startedAt);
      } catch (error) {
        for (const { reject } of group) reject(error);
        this.#rejectPending(error);
      }
    }
    this.#running = undefined;
  }

  async #waitToGather(tookMs: number): Promise<void> {
    const { gatherMs = 0 } = this.#options;
    if (tookMs < gatherMs) await delay(gatherMs - tookMs);
  }

  #takeGroup(): readonly PendingEntry<E>[] {
    let bytes = 0;
    let rows = 0;
    let count = 0;
    for (const { entry } of this.#pending) {
      const fits = bytes + entry.bytes <= this.#options.groupBytesMax && rows < limits.groupRecords;
      if (count > 0 && !fits) break;
      bytes += entry.bytes;
      rows += entry.rows.length;
      count++;
    }
    this.#pendingBytes -= bytes;
    return this.#pending.splice(0, count);
  }

  #resolveGroup(group: readonly PendingEntry<E>[], offsets: readonly number[]): void {
    let from = 0;
    for (const { entry, resolve } of group) {
      resolve(offsets.slice(from, from + entry.rows.length));
      from += entry.rows.length;
    }
  }

  /** The waiting entries fail too: they would meet the same failure later, and their callers wait for an answer. */
  #rejectPending(cause: unknown): void {
    this.#pendingBytes = 0;
    for (const { reject } of this.#pending.splice(0))
      reject(new PortError('unavailable', 'an append before this one failed; nothing of it was written', cause));
  }
}
