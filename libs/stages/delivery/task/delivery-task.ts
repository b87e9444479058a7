// Runs delivery in one partition: takes records, and outputs attempts and cursors.
import type { Appends, Reads } from '../../../domain/flow.ts';
import type { RecordsOn } from '../../../domain/messages-of.ts';
import type { Position } from '../../../log/log.ts';
import type { MalformedRecord } from '../../loop/reading/unusable.ts';
import { newestRetention } from '../../loop/retention.ts';
import type { Output, StageTask } from '../../loop/stage.ts';
import type { TaskOptions } from '../delivery-options.ts';
import { EventBuffer } from '../events/buffer.ts';
import { restore, startOf, type Restored } from '../restoring/restore-cursors.ts';
import { DeliveryInputs } from './delivery-inputs.ts';
import { DeliveryParts } from './delivery-parts.ts';

export class DeliveryTask implements StageTask<Reads<'delivery'>, Appends<'delivery'>> {
  readonly start: readonly Position<Reads<'delivery'>>[];
  readonly #options: TaskOptions;
  readonly #parts: DeliveryParts;
  readonly #inputs: DeliveryInputs;

  static async open(options: TaskOptions): Promise<DeliveryTask> {
    const { log, partition, mark } = options.context;
    const buffer = new EventBuffer(options.limits);
    const restored = await restore({ ...options, buffer });
    const fact = (await newestRetention(log))?.data;
    const parts = new DeliveryParts(options, restored, buffer, fact);
    const task = new DeliveryTask(options, parts, startOf(restored, partition, mark));
    try {
      task.#begin(restored);
      return task;
    } catch (error) {
      await task.stop(0);
      throw error;
    }
  }

  private constructor(options: TaskOptions, parts: DeliveryParts, start: readonly Position<Reads<'delivery'>>[]) {
    this.start = start;
    this.#options = options;
    this.#parts = parts;
    this.#inputs = new DeliveryInputs(options, parts);
  }

  handle(records: RecordsOn<Reads<'delivery'>>, next: number): Promise<void> | void {
    return this.#inputs.handle(records, next);
  }

  skipMalformed(malformed: MalformedRecord, next: number): void {
    this.#inputs.skipMalformed(malformed, next);
  }

  takeOutput(bytesMax: number): Output<Appends<'delivery'>> | undefined {
    const { dispatcher, outbox, sources } = this.#parts;
    dispatcher.writeRecords();
    const wasFull = outbox.isFull;
    const output = outbox.take(bytesMax);
    if (wasFull && !outbox.isFull) dispatcher.release();
    if (!outbox.isFull) sources.release();
    return output;
  }

  onCommitted({ records }: Output<Appends<'delivery'>>, offsets: readonly number[]): void {
    this.#parts.outbox.committed();
    this.#parts.index.committed(records, offsets);
  }

  async stop(drainMs: number): Promise<void> {
    const { retryQuota, failing } = this.#options;
    const { dispatcher, outbox } = this.#parts;
    this.#parts.close();
    for (const cursor of this.#parts.cursors()) retryQuota.leave(cursor);
    await dispatcher.stop(drainMs);
    // Attempts that end while it stops can fail, too.
    for (const cursor of this.#parts.cursors()) failing.releaseCursor(cursor);
    dispatcher.writeRecords();
    outbox.drain();
  }

  #begin({ opened, tombstones, next }: Restored): void {
    const parts = this.#parts;
    parts.webhooks.applyRestored();
    parts.outbox.writeCursors(tombstones);
    for (const subscription of opened) parts.openings.open(subscription);
    parts.openings.advanceTo(next.subscriptions);
    for (const cursor of parts.cursors()) parts.continueCursor(cursor);
    parts.deletions.start();
    parts.replays.start();
    parts.requests.start();
    parts.index.start();
  }
}
