// Reads events again for lines whose turn has come, a page of the log at a time; all lines of a cursor share the page.
import { matchesChannel } from '../../../../domain/delivery/matching.ts';
import { FairQueue } from '../../../../primitives/sharing/fair-queue.ts';
import type { SourceCursor } from '../source-cursor.ts';
import type { EmittedRecord } from '../../events/buffer.ts';
import { isFilteredOut } from '../../filters/subscription-filters.ts';
import type { TaskOptions } from '../../delivery-options.ts';
import { heldBytesMax } from '../../order/line-memory.ts';
import { SubscriptionCursor } from './subscription-cursor.ts';

/** The name under which these reads take turns with the workspaces whose retries are read again. */
const slotOwner = 'lines';

export interface LineReadsOptions extends Pick<TaskOptions, 'context' | 'readSlots'> {
  /** Called when the cursor's lines have read a page. */
  readonly fed: (cursor: SubscriptionCursor) => void;
}

export class LineReads {
  readonly #options: LineReadsOptions;
  /** Cursors whose lines need events, in the order of their turns. */
  readonly #readQueue = new FairQueue<SubscriptionCursor>(({ subscription }) => subscription.workspace);
  #isReading = false;
  #isClosed = false;

  constructor(options: LineReadsOptions) {
    this.#options = options;
  }

  /** Call whenever a line of the cursor might need events from the log. */
  requestRead(cursor: SourceCursor): void {
    if (cursor.keyOrder?.needsRead !== true || cursor.keyOrder.hasEnough || !(cursor instanceof SubscriptionCursor))
      return;
    this.#readQueue.add(cursor);
    this.#startReading();
  }

  close(): void {
    this.#isClosed = true;
    this.#readQueue.clear();
  }

  #startReading(): void {
    const { readSlots, context } = this.#options;
    if (this.#isReading || this.#isClosed) return;
    this.#isReading = true;
    readSlots
      .run(() => this.#readOnce(), slotOwner)
      .then(
        () => {
          this.#isReading = false;
          if (this.#readQueue.size > 0) this.#startReading();
        },
        (error: unknown) => context.fail(error instanceof Error ? error : new Error(String(error))),
      );
  }

  async #readOnce(): Promise<void> {
    const { context } = this.#options;
    // Lets other work in between pages, even when the log answers at once.
    await new Promise((resolve) => setImmediate(resolve));
    const cursor = this.#readQueue.take();
    if (cursor === undefined) return;
    const from = cursor.linesReadFrom;
    if (from === null) return;
    const numberedTo = cursor.position.next;
    const bounds = { recordsMax: cursor.keyOrder?.recordsToRead ?? 1, bytesMax: heldBytesMax };
    const page = await context.log.read('channels', context.partition, from, bounds);
    // Its webhook might have been paused in the meantime: then no events are held for it.
    if (this.#isClosed || cursor.linesReadFrom === null) return;
    const records = page.records.filter((record) => record.type === 'EventEmitted');
    // An empty page means the end of the log: events that were numbered before the read and are not found were deleted.
    const end = page.records.length === 0 ? Math.max(page.next, numberedTo) : page.next;
    cursor.readLines({ ...linePageOf(cursor, records), from, end });
    this.#options.fed(cursor);
    this.requestRead(cursor);
  }
}

/** The page for one cursor: only the records that it numbers. */
export function linePageOf({ subscription, emitterId }: SourceCursor, all: readonly EmittedRecord[]) {
  const { eventName, workspace } = subscription;
  const records = all.filter(
    ({ workspace: of, data }) =>
      data.emitterId === emitterId && of === workspace && matchesChannel(eventName, data.channel),
  );
  return { records, isLeftOut: (record: EmittedRecord) => isFilteredOut(subscription, record) };
}
