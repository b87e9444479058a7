// Follows the control topics, hands their records to what the gateway keeps in memory, and checks that this is current.
import { setTimeout as delay } from 'node:timers/promises';
import { awaitedTopics, partitionCount, tailedTopics } from '../../../domain/flow.ts';
import type { FollowedTopic, TopicName } from '../../../domain/flow.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import { PortError } from '../../../domain/port-error.ts';
import { positionKey } from '../../../log/log.ts';
import type { Page, Position } from '../../../log/log.ts';
import { resolvesInTime, withinOr } from '../../../primitives/time-limit.ts';
import type { CheckedLog } from '../../loop/reading/checked-log.ts';
import type { CheckedTail } from '../../loop/reading/checked-tail.ts';
import type { Tolerate } from '../../loop/reading/alerting-reporter.ts';
import { NewerRecordError } from '../../loop/reading/unusable.ts';
import type { CheckedPageOn } from '../../loop/reading/unusable.ts';
import { stalledAfterMs, stalledText } from '../../loop/reporting/stalled.ts';

type FollowedPosition = Position<FollowedTopic>;

/** Learns from the control topics. `accept` gets each usable record once, in order. */
export interface Follower {
  accept(record: RecordOn<FollowedTopic>): void;
  /** Called after all records of one page were accepted; an error ends the gateway. */
  pageRead?(page: Page): void;
}

/** One page: large enough to start quickly, small enough not to block the event loop. */
const pageBounds = { recordsMax: 500, bytesMax: 2 * 1024 * 1024 };
const oneRecord = { recordsMax: 1, bytesMax: 1 };
/** The interval of an idle tail's turns; `waitUntilCaughtUp` can wait for one turn if a log has gaps at its end. */
const turnMs = 250;
/** The wait between attempts while the log does not answer. */
const retryMs = 200;

/** The topics with the outcomes of commands. */
const outcomeTopics: ReadonlySet<TopicName> = new Set<TopicName>([...awaitedTopics, 'workspaces']);

export interface ControlTailOptions {
  readonly log: CheckedLog;
  readonly tolerate: Tolerate;
  readonly followers: readonly Follower[];
  readonly onFatal: (error: unknown) => void;
}

export class ControlTail {
  readonly #log: CheckedLog;
  readonly #tolerate: Tolerate;
  readonly #followers: readonly Follower[];
  readonly #onFatal: (error: unknown) => void;
  readonly #positions = new Map<string, FollowedPosition>();
  readonly #lastOffsets = new Map<string, number>();
  #tail: CheckedTail<FollowedTopic> | undefined;
  #running: Promise<void> | undefined;
  /** Why following ended: stopped, or failed permanently. */
  #ended: Error | undefined;
  #started = false;
  #turnDone = Promise.withResolvers<void>();
  #lastTurnAt = performance.now();
  /** The failure after which it is retrying. */
  #failure: PortError | undefined;

  constructor(options: ControlTailOptions) {
    this.#log = options.log;
    this.#tolerate = options.tolerate;
    this.#followers = options.followers;
    this.#onFatal = options.onFatal;
  }

  /** Definitions are read from the beginning; outcomes from the end, because only new ones matter. */
  async #initPositions(): Promise<void> {
    const start = async (topic: FollowedTopic, partition: number): Promise<FollowedPosition> => {
      const isAwaited = awaitedTopics.some((name) => name === topic);
      return { topic, partition, offset: isAwaited ? await this.#log.end(topic, partition) : 0 };
    };
    const startPositions = [...tailedTopics, ...awaitedTopics].flatMap((topic) =>
      Array.from({ length: partitionCount(topic, this.#log.partitions) }, (_, partition) => start(topic, partition)),
    );
    for (const position of await Promise.all(startPositions))
      this.#positions.set(positionKey(position.topic, position.partition), position);
  }

  /** Resolves when every readable record that is on the log now was read. Rejects with whatever a follower throws. */
  async start(): Promise<void> {
    await this.#initPositions();
    this.#running = this.#run();
    await this.#catchUp(Number.POSITIVE_INFINITY);
    this.#started = true;
  }

  async stop(): Promise<void> {
    this.#end(new PortError('closed', 'The gateway stops.'));
    await this.#tail?.close();
    await this.#running;
  }

  /** Whether it still follows: it has neither ended nor got stuck in a turn. */
  get healthy(): boolean {
    return this.trouble === undefined;
  }

  /** Why it does not follow, which includes a record of a newer program: this one cannot read on from there. */
  get trouble(): string | undefined {
    if (this.newerRecord !== undefined) return this.newerRecord.message;
    const isTurning = this.#ended === undefined && this.idleMs < stalledAfterMs;
    return isTurning ? undefined : stalledText(this.#ended ?? this.#failure);
  }

  get idleMs(): number {
    return performance.now() - this.#lastTurnAt;
  }

  get newerRecord(): NewerRecordError | undefined {
    return this.#tail?.newer;
  }

  /** Whether a newer program's record hides outcomes: a command would be carried out without this gateway knowing. */
  get hidesOutcomes(): boolean {
    if (this.newerRecord === undefined) return false;
    return [...this.#positions.values()].some(
      (position) => outcomeTopics.has(position.topic) && this.#isBlocked(position),
    );
  }

  /**
   * Waits until all is read that is on the log now. False: not within `timeoutMs`, even if the log is slow, or a newer
   * program's records stop the reading. Throws the error that ended the following, or that of the log.
   */
  async waitUntilCaughtUp(timeoutMs: number): Promise<boolean> {
    if (this.newerRecord !== undefined) return false;
    return withinOr(this.#catchUp(performance.now() + timeoutMs), timeoutMs, false);
  }

  async #catchUp(deadline: number): Promise<boolean> {
    const ends = await this.#ends();
    for (;;) {
      if (this.#ended !== undefined) throw this.#ended;
      const lagging = ends.filter((end) => this.#offset(end) < end.offset && !this.#isBlocked(end));
      if (lagging.length === 0) return true;
      const offsetsBefore = lagging.map((end) => this.#offset(end));
      const remainingMs = deadline - performance.now();
      if (remainingMs <= 0) return false;
      await resolvesInTime(this.#turnDone.promise, Math.min(remainingMs, turnMs));
      const unmoved = lagging.filter((end, i) => this.#offset(end) === offsetsBefore[i]);
      await Promise.all(unmoved.map((end) => this.#skipGap(end)));
    }
  }

  /** The offset of the newest record read; -1: none. Views that have passed it show all that the gateway knows. */
  lastOffset(topic: TopicName, partition: number): number {
    return this.#lastOffsets.get(positionKey(topic, partition)) ?? -1;
  }

  #isBlocked({ topic, partition }: Position): boolean {
    return this.#tail?.isHeld(topic, partition) === true;
  }

  #ends(): Promise<FollowedPosition[]> {
    const end = async ({ topic, partition }: FollowedPosition): Promise<FollowedPosition> => ({
      topic,
      partition,
      // Another partition can already show its part of an append that this one does not show yet.
      offset: await (topic === 'sources' && this.#started
        ? this.#log.settledEnd(topic, partition)
        : this.#log.end(topic, partition)),
    });
    return Promise.all([...this.#positions.values()].map(end));
  }

  #offset({ topic, partition }: Position): number {
    return this.#positions.get(positionKey(topic, partition))?.offset ?? 0;
  }

  /** Skips a gap below the end: an engine's own marks take offsets, too, and a tail does not report them. */
  async #skipGap(end: FollowedPosition): Promise<void> {
    const from = this.#offset(end);
    const bounds = { ...oneRecord, to: end.offset };
    const page = await this.#log.read(end.topic, end.partition, from, bounds).catch((error: unknown) => {
      // The tail stops at the same record.
      if (error instanceof NewerRecordError) return undefined;
      throw error;
    });
    const isGap = page?.records.length === 0 && this.#offset(end) === from;
    if (isGap) this.#positions.set(positionKey(end.topic, end.partition), end);
  }

  async #run(): Promise<void> {
    while (this.#ended === undefined) {
      try {
        await this.#follow();
      } catch (error) {
        if (!(error instanceof PortError && error.retryable)) return this.#fail(error);
        this.#failure = error;
        await delay(retryMs, undefined, { ref: false });
      }
    }
  }

  async #follow(): Promise<void> {
    const tail = this.#log.tail([...this.#positions.values()], pageBounds);
    this.#tail = tail;
    try {
      while (this.#ended === undefined) {
        for (const page of await tail.next(turnMs)) this.#acceptPage(page);
        this.#lastTurnAt = performance.now();
        this.#failure = undefined;
        this.#signalTurn();
      }
    } finally {
      await tail.close();
    }
  }

  #acceptPage(page: CheckedPageOn<FollowedTopic>): void {
    const { topic, partition, next } = page;
    for (const record of page.records)
      for (const follower of this.#followers) this.#tolerate(record, () => follower.accept(record));
    const key = positionKey(topic, partition);
    this.#positions.set(key, { topic, partition, offset: next });
    const last = page.records.at(-1);
    if (last !== undefined) this.#lastOffsets.set(key, last.offset);
    for (const follower of this.#followers) follower.pageRead?.(page);
  }

  #fail(error: unknown): void {
    if (this.#ended !== undefined) return;
    this.#end(error instanceof Error ? error : new Error(String(error)));
    if (this.#started) this.#onFatal(error);
  }

  #end(error: Error): void {
    this.#ended ??= error;
    this.#signalTurn();
  }

  #signalTurn(): void {
    this.#turnDone.resolve();
    this.#turnDone = Promise.withResolvers();
  }
}
