// Finds where a replay begins and ends on `channels`: turns the positions in its request into offsets, once.
import { matches } from '../../../domain/delivery/matching.ts';
import type { ReplayPosition } from '../../../domain/delivery/replay/position.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import { offsetAt } from '../../../log/offset-at.ts';
import type { EmittedRecord } from '../events/buffer.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import type { TaskOptions } from '../delivery-options.ts';
import type { SharedScans } from '../reading/shared-scans.ts';
import type { Replay } from '../replay-cursors/followed-replay.ts';

export interface RangeOptions {
  readonly task: Pick<TaskOptions, 'context'> & { readonly scans: SharedScans };
  readonly subscription: Subscription;
  readonly shouldContinue: () => boolean;
}

/** One event in this many has its offset remembered, while numbers are counted back. */
const stepEvents = 1_024;

/** The replay's range; undefined: no event has the requested number. */
export async function rangeOf(
  { order: { from, to, emitterId }, acceptedAt }: Replay,
  options: RangeOptions,
): Promise<{ readonly first: number; readonly end: number } | undefined> {
  const numbers =
    from.by === 'sequence' || to.by === 'sequence' ? await SequenceIndex.read(emitterId, options) : undefined;
  const { context } = options.task;
  const offsetFor = async ({ by, value }: ReplayPosition, after: 0 | 1): Promise<number | undefined> => {
    switch (by) {
      case 'earliest':
        return 0;
      case 'now':
        return acceptedAt;
      case 'event':
        return value + after;
      case 'time':
        return offsetAt(context.log, { topic: 'channels', partition: context.partition }, value + after);
      case 'sequence':
        return numbers?.offsetOf(value, after);
    }
  };
  const first = await offsetFor(from, 0);
  const end = await offsetFor(to, 1);
  if (first === undefined || end === undefined) return undefined;
  return { first: Math.min(first, acceptedAt), end: Math.max(Math.min(end, acceptedAt), Math.min(first, acceptedAt)) };
}

/**
 * The numbers that a subscription's cursor has given to events of one source, counted back from the last: they have no
 * gaps and follow the order of the events.
 */
class SequenceIndex {
  readonly #options: RangeOptions;
  readonly #emitterId: string;
  /** Offsets of the first event on the log and of every `stepEvents`th after it. */
  readonly #steps: number[] = [];
  #count = 0;
  /** The last number given. */
  #last = 0;

  private constructor(emitterId: string, options: RangeOptions) {
    this.#emitterId = emitterId;
    this.#options = options;
  }

  static async read(emitterId: string, options: RangeOptions): Promise<SequenceIndex> {
    const numbers = new SequenceIndex(emitterId, options);
    await numbers.#readAll();
    return numbers;
  }

  async #readAll(): Promise<void> {
    const { subscription } = this.#options;
    const position = subscription.cursors?.get(this.#emitterId)?.position;
    if (position === undefined) return;
    this.#last = position.counters.published;
    await this.#each(0, position.next, this.#options.shouldContinue, (offset) => {
      if (this.#count++ % stepEvents === 0) this.#steps.push(offset);
    });
  }

  /** The number's offset plus `after`; 0: its event is gone, and all others are later; undefined: not given yet. */
  async offsetOf(sequence: number, after: 0 | 1): Promise<number | undefined> {
    const last = this.#last;
    if (sequence > last) return undefined;
    const index = this.#count - last + sequence - 1;
    if (index < 0) return 0;
    let [passed, found] = [index - (index % stepEvents), undefined as number | undefined];
    const shouldContinue = (): boolean => found === undefined && this.#options.shouldContinue();
    await this.#each(this.#steps[passed / stepEvents] ?? 0, Number.MAX_SAFE_INTEGER, shouldContinue, (offset) => {
      if (passed++ === index) found = offset;
    });
    return found === undefined ? undefined : found + after;
  }

  /** Calls `take` for the subscription's events of the source from one offset to another, below the tail. */
  async #each(
    from: number,
    below: number,
    shouldContinue: () => boolean,
    take: (offset: number) => void,
  ): Promise<void> {
    const { task, subscription } = this.#options;
    const { log, partition } = task.context;
    const to = Math.min(below, await log.end('channels', partition));
    const { workspace } = subscription;
    await task.scans.scan({ emitterId: this.#emitterId, workspace, from, to: () => to, shouldContinue }, (record) => {
      if (isEventFor(subscription, this.#emitterId, record)) take(record.offset);
    });
  }
}

/** Whether a record is an event that the subscription is for, of one source or of every one. */
export function isEventFor(
  { workspace, eventName }: Pick<Subscription, 'workspace' | 'eventName'>,
  emitterId: string,
  record: RecordOn<'channels'>,
): record is EmittedRecord & RecordOn<'channels'> {
  return (
    record.type === 'EventEmitted' && record.workspace === workspace && matches({ emitterId, eventName }, record.data)
  );
}

/** Notes below which offset replays might have sent events: none sends later ones, and forgotten replays are older. */
export function noteReplayedRange({ order, acceptedAt }: Replay, subscription: Subscription): void {
  if (order.dryRun !== true) subscription.replayedBelow = Math.max(subscription.replayedBelow ?? 0, acceptedAt);
}
