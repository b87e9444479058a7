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
    return this.#inputs.take(records, next);
  }

  pass(malformed: MalformedRecord, next: number): void {
    this.#inputs.pass(malformed, next);
  }

  take(bytesMax: number): Output<Appends<'delivery'>> | undefined {
    const { dispatcher, outbox, sources } = this.#parts;
    dispatcher.writeRecords();
    const wasFull = outbox.full;
    const output = outbox.take(bytesMax);
    if (wasFull && !outbox.full) dispatcher.release();
    if (!outbox.full) sources.release();
    return output;
  }

  committed({ records }: Output<Appends<'delivery'>>, offsets: readonly number[]): void {
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
    for (const cursor of this.#parts.cursors()) failing.left(cursor);
    dispatcher.writeRecords();
    outbox.drain();
  }

  #begin({ opened, left, next }: Restored): void {
    const parts = this.#parts;
    parts.webhooks.restored();
    parts.outbox.writeCursors(left);
    for (const subscription of opened) parts.openings.open(subscription);
    parts.openings.moved(next.subscriptions);
    for (const cursor of parts.cursors()) parts.goOn(cursor);
    parts.deletions.start();
    parts.replays.start();
    parts.requests.start();
    parts.index.start();
  }
}
