// Feeds every open stream of this gateway: checks how far the views are, and sends what is new in each partition.
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { partitionOf } from '../../../domain/flow.ts';
import { PortError } from '../../../domain/port-error.ts';
import { positionKey } from '../../../log/log.ts';
import type { Positions } from '../../../log/log.ts';
import { withinOr } from '../../../primitives/time-limit.ts';
import type { ViewBuild } from '../../../view-store/view-store.ts';
import { unavailable } from '../http/api-problem.ts';
import { FairTurns } from '../http/limits/fair-turns.ts';
import { Feed } from './feed/feed.ts';
import type { SentPosition } from './feed/feed.ts';
import { SharedPages } from './feed/shared-pages.ts';
import { isAfter } from './stream-kind.ts';
import type { FollowedChannel, FoundPosition, StreamPosition } from './stream-kind.ts';
import type { AnyRequestDto } from '../http/input/any-request.dto.ts';
import { OpenStreams, streamsMax } from './open-streams.ts';
import { SourceReader } from './feed/source-reader.ts';
import type { PageRead, ViewsSnapshot } from './feed/source-reader.ts';
import { FieldSelection } from './selection.ts';
import { Stream } from './stream.ts';
import { UnreadBytes } from './sharing/unread-bytes.ts';

/** The wait between looks at the views, which batch records for as long. */
const pollMs = 50;
/** Waits three times as long as a look took, at most `pauseMsMax`: no feed waits longer than that for the others. */
const pausePerPoll = 3;
const pauseMsMax = 250;
const pageTurns = {
  /** Pages of at most 2 MiB, read and sent at once: this many for feeds, and as many for streams that catch up. */
  atOnce: 8,
  /** A stream holds one slot, and for a moment after it closes: so twice as many as streams may be open. */
  perOwnerMax: 2 * streamsMax.workspace,
  totalMax: 2 * streamsMax.gateway,
  full: () => new PortError('unavailable', 'too many streams wait for their turn: it is tried again'),
};
/** The wait after a port error. */
const retryMs = 500;
/** Within this time the views show the last events of a deleted source. */
const deletedLingerMs = 1_000;

export interface StreamsOptions {
  readonly views: () => ViewBuild;
  readonly partitions: number;
  readonly isDeleted: (sourceId: string) => boolean;
  /** The time between heartbeats. */
  readonly heartbeatMs: () => number;
  /** Called with an error that no retry repairs; its stream has ended. */
  readonly onFault: (error: unknown) => void;
}

export interface StreamRequest extends FollowedChannel {
  /** Whether the caller that opened the stream may still read. */
  readonly isAdmitted: () => boolean;
  readonly fields: AnyRequestDto;
  /** The id after which the stream continues; undefined: it begins now. */
  readonly after: string | undefined;
}

interface CatchUpState {
  readonly reader: SourceReader;
  readonly position: StreamPosition;
}

interface SentPage {
  readonly snapshot: ViewsSnapshot;
  readonly page: PageRead | undefined;
}

const feedKey = ({ kind, sourceId, channel }: FollowedChannel): string =>
  JSON.stringify([kind.view, sourceId, channel ?? null]);
/** If the id of a gone record is ahead of all shown records, the stream begins with the next one to be shown. */
const notAfter = (position: StreamPosition, newest: StreamPosition): StreamPosition =>
  position !== undefined && isAfter(position, newest) ? newest : position;
/** Whether a retry can help: views that were replaced by new ones are closed. */
const isTransient = (error: unknown): boolean =>
  error instanceof PortError && (error.retryable || error.code === 'closed');

export class Streams {
  readonly #options: StreamsOptions;
  readonly #openStreams = new OpenStreams();
  readonly #feeds = new Map<string, Feed>();
  /** Feeds of deleted sources, with the time at which they end, on the monotonic clock. */
  readonly #endTimes = new WeakMap<Feed, number>();
  readonly #unread = new UnreadBytes();
  readonly #feedTurns = new FairTurns(pageTurns);
  readonly #catchUpTurns = new FairTurns(pageTurns);
  readonly #pages = new SharedPages();
  /** How many streams are catching up. */
  #catchingUpCount = 0;
  #isPolling = false;
  #isClosed = false;

  constructor(options: StreamsOptions) {
    this.#options = options;
  }

  /** How many streams are open. */
  get count(): number {
    return this.#openStreams.size;
  }

  /** Resolves once the stream has begun or its client is gone. Throws ApiProblem, TooManyWaiting or PortError. */
  async open(response: ServerResponse, headers: () => OutgoingHttpHeaders, request: StreamRequest): Promise<void> {
    if (this.#isClosed) throw unavailable('The service is stopping.');
    const stream = new Stream(response, new FieldSelection(request, request.fields), this.#unread);
    if (!stream.isOpen) return;
    const removeStream = this.#openStreams.add({ stream, ...request }, performance.now() + this.#options.heartbeatMs());
    stream.closed.addEventListener('abort', () => {
      removeStream();
      this.#leaveFeed(stream, request);
    });
    try {
      const { position, isGone, joinAt } = await this.#findStart(request);
      if (this.#isClosed) throw unavailable('The service is stopping.');
      if (!stream.isOpen) return;
      stream.begin(headers(), isGone);
      this.#startPolling();
      if (joinAt !== undefined && this.#join(stream, request, joinAt)) return;
      void this.#catchUp(stream, request, position);
    } catch (error) {
      removeStream();
      throw error;
    }
  }

  /** Ends all streams; clients resume at another gateway after the last record that they have. */
  close(): void {
    this.#isClosed = true;
    for (const { stream } of this.#openStreams.all()) stream.end();
  }

  /** Finds where the stream begins. With `joinAt`, it has nothing to catch up with. */
  async #findStart(request: StreamRequest): Promise<FoundPosition & { readonly joinAt?: SentPosition }> {
    const { kind, after } = request;
    const snapshot = await this.#takeSnapshot(request);
    const found = after === undefined ? undefined : await kind.find(snapshot.build, request, after);
    if (found?.isGone === false) return found;
    const newest = await new SourceReader(request).newest(snapshot);
    if (found !== undefined) return { ...found, position: notAfter(found.position, newest) };
    const start = { position: newest, isGone: false };
    return snapshot.build.name === snapshot.buildName
      ? { ...start, joinAt: { position: newest, end: snapshot.end } }
      : start;
  }

  async #takeSnapshot(followed: FollowedChannel): Promise<ViewsSnapshot> {
    const build = this.#options.views();
    const buildName = build.name;
    return { build, buildName, end: this.#endOf(followed, await build.checkpoint()) };
  }

  #endOf({ kind, sourceId }: FollowedChannel, positions: Positions): number {
    return positions[positionKey(kind.topic, partitionOf(sourceId, this.#options.partitions))] ?? 0;
  }

  async #catchUp(stream: Stream, followed: FollowedChannel, from: StreamPosition): Promise<void> {
    this.#catchingUpCount++;
    try {
      await this.#readUntilJoined(stream, followed, from);
    } finally {
      if (--this.#catchingUpCount === 0) this.#pages.clear();
    }
  }

  /** Reads for a stream until it has all that its feed has sent; shares pages with other streams that catch up. */
  async #readUntilJoined(stream: Stream, followed: FollowedChannel, from: StreamPosition): Promise<void> {
    const reader = new SourceReader(followed);
    let position = from;
    while (stream.isOpen) {
      try {
        const { snapshot, page } = await this.#catchUpTurns.run(followed.workspace, () =>
          this.#sendPage(stream, followed, { reader, position }),
        );
        await stream.waitForDrain();
        const last = page?.documents.at(-1);
        if (last !== undefined) position = followed.kind.positionOf(last);
        if (page?.isLast === false) continue;
        if (page !== undefined && this.#join(stream, followed, { position, end: snapshot.end })) return;
        await delay(pollMs, undefined, { ref: false });
      } catch (error) {
        if (!isTransient(error)) return this.#fail(stream, error);
        await delay(retryMs, undefined, { ref: false });
      }
    }
  }

  /** The turn ends before the client has received the page, so a client that does not read delays nobody. */
  async #sendPage(stream: Stream, followed: FollowedChannel, { reader, position }: CatchUpState): Promise<SentPage> {
    const snapshot = await this.#takeSnapshot(followed);
    const pageRequest = { key: feedKey(followed), of: followed, reader, place: position };
    const page = stream.isOpen ? await this.#pages.page(pageRequest, snapshot) : undefined;
    const bytes = page?.encode(stream.selection);
    if (bytes !== undefined) stream.write(bytes);
    reader.adaptLimit(bytes?.length ?? 0);
    await new Promise<void>((resolve) => void setImmediate(resolve));
    return { snapshot, page };
  }

  #fail(stream: Stream, error: unknown): void {
    stream.end();
    if (!this.#isClosed) this.#options.onFault(error);
  }

  /** Lets the stream join its feed. False: the feed is ahead of it. */
  #join(stream: Stream, followed: FollowedChannel, sentPosition: SentPosition): boolean {
    if (!stream.isOpen) return true;
    const key = feedKey(followed);
    const feed = this.#feeds.get(key) ?? new Feed(followed, sentPosition);
    this.#feeds.set(key, feed);
    return feed.join(stream, sentPosition);
  }

  #leaveFeed(stream: Stream, followed: FollowedChannel): void {
    const feed = this.#feeds.get(feedKey(followed));
    feed?.leave(stream);
    if (feed?.isEmpty === true) this.#feeds.delete(feedKey(followed));
  }

  #startPolling(): void {
    if (this.#isPolling) return;
    this.#isPolling = true;
    void this.#poll();
  }

  async #poll(): Promise<void> {
    while (this.#openStreams.size > 0 && !this.#isClosed) {
      const startedAt = performance.now();
      this.#openStreams.sendHeartbeats(startedAt, this.#options.heartbeatMs);
      this.#endDeleted(startedAt);
      const failed = await this.#feedAll().catch((error: unknown) => this.#reportFault(error));
      const pollTookMs = performance.now() - startedAt;
      const pauseMs = failed ? retryMs : Math.min(pauseMsMax, Math.max(pollMs, pollTookMs * pausePerPoll));
      await delay(pauseMs, undefined, { ref: false });
    }
    this.#isPolling = false;
  }

  /** Feeds every partition that has advanced; slow feeds continue in the background. True: some have failed. */
  async #feedAll(): Promise<boolean> {
    const build = this.#options.views();
    const buildName = build.name;
    const positions = await build.checkpoint();
    const sends: Promise<boolean>[] = [];
    for (const feed of this.#feeds.values()) {
      const end = this.#endOf(feed.followed, positions);
      if (feed.end === end || feed.isSending) continue;
      const onError = (error: unknown): true => this.#reportFault(error);
      sends.push(feed.send({ build, buildName, end }, this.#feedTurns).then(() => false, onError));
    }
    if (sends.length === 0) return false;
    const failed = Promise.all(sends).then((results) => results.includes(true));
    return withinOr(failed, pauseMsMax, false);
  }

  #reportFault(error: unknown): true {
    if (!isTransient(error)) this.#options.onFault(error);
    return true;
  }

  #endDeleted(now: number): void {
    for (const feed of this.#feeds.values()) {
      if (!this.#options.isDeleted(feed.followed.sourceId)) continue;
      const endsAt = this.#endTimes.get(feed);
      if (endsAt === undefined) this.#endTimes.set(feed, now + deletedLingerMs);
      else if (now >= endsAt && !feed.isSending) feed.close();
    }
  }
}
