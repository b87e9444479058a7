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
import type { SentTo } from './feed/feed.ts';
import { SharedPages } from './feed/shared-pages.ts';
import { isBehind } from './kind.ts';
import type { Followed, Found, Place } from './kind.ts';
import type { AnyRequestDto } from '../http/input/any-request.dto.ts';
import { OpenStreams, streamsMax } from './open-streams.ts';
import { SourceReader } from './feed/reader.ts';
import type { PageRead, Shown } from './feed/reader.ts';
import { FieldSelection } from './selection.ts';
import { Stream } from './stream.ts';
import { Unread } from './sharing/unread.ts';

/** The wait between looks at the views, which batch records for as long. */
const lookMs = 50;
/** Waits three times as long as a look took, at most `restMsMax`: no feed waits longer than that for the others. */
const restPerLook = 3;
const restMsMax = 250;
const pageTurns = {
  /** Pages of at most 2 MiB, read and sent at once: this many for feeds, and as many for streams that catch up. */
  atOnce: 8,
  /** A stream waits in one place, and for a moment after it closes: so twice as many as streams may be open. */
  ofOwnerMax: 2 * streamsMax.workspace,
  allMax: 2 * streamsMax.gateway,
  full: () => new PortError('unavailable', 'too many streams wait for their turn: it is tried again'),
};
/** The wait after a port error. */
const retryMs = 500;
/** Within this time the views show the last events of a deleted source. */
const lastWordsMs = 1_000;

export interface StreamsOptions {
  readonly views: () => ViewBuild;
  readonly partitions: number;
  readonly isDeleted: (sourceId: string) => boolean;
  /** The time between heartbeats. */
  readonly beatMs: () => number;
  /** Called with an error that no retry repairs; its stream has ended. */
  readonly onFault: (error: unknown) => void;
}

export interface Opening extends Followed {
  /** Whether the caller that opened the stream may still read. */
  readonly isAdmitted: () => boolean;
  readonly asked: AnyRequestDto;
  /** The id after which the stream continues; undefined: it begins now. */
  readonly after: string | undefined;
}

interface CatchingUp {
  readonly reader: SourceReader;
  readonly place: Place;
}

interface Sent {
  readonly shown: Shown;
  readonly page: PageRead | undefined;
}

const feedKey = ({ kind, sourceId, channel }: Followed): string =>
  JSON.stringify([kind.view, sourceId, channel ?? null]);
/** If the id of a gone record is ahead of all shown records, the stream begins with the next one to be shown. */
const nearer = (place: Place, newest: Place): Place =>
  place !== undefined && isBehind(place, newest) ? newest : place;
/** Whether a retry can help: views that were replaced by new ones are closed. */
const mayPass = (error: unknown): boolean => error instanceof PortError && (error.retryable || error.code === 'closed');

export class Streams {
  readonly #options: StreamsOptions;
  readonly #open = new OpenStreams();
  readonly #feeds = new Map<string, Feed>();
  /** Feeds of deleted sources, with the time at which they end, on the monotonic clock. */
  readonly #ending = new WeakMap<Feed, number>();
  readonly #unread = new Unread();
  readonly #feeding = new FairTurns(pageTurns);
  readonly #catchingUp = new FairTurns(pageTurns);
  readonly #pages = new SharedPages();
  /** How many streams are catching up. */
  #behind = 0;
  #looking = false;
  #closed = false;

  constructor(options: StreamsOptions) {
    this.#options = options;
  }

  /** How many streams are open. */
  get count(): number {
    return this.#open.size;
  }

  /** Resolves once the stream has begun or its client is gone. Throws ApiProblem, TooManyWaiting or PortError. */
  async open(response: ServerResponse, headers: () => OutgoingHttpHeaders, opening: Opening): Promise<void> {
    if (this.#closed) throw unavailable('The service is stopping.');
    const stream = new Stream(response, new FieldSelection(opening, opening.asked), this.#unread);
    if (!stream.isOpen) return;
    const leave = this.#open.add({ stream, ...opening }, performance.now() + this.#options.beatMs());
    stream.closed.addEventListener('abort', () => {
      leave();
      this.#leaveFeed(stream, opening);
    });
    try {
      const { place, isGone, sentTo } = await this.#beginning(opening);
      if (this.#closed) throw unavailable('The service is stopping.');
      if (!stream.isOpen) return;
      stream.begin(headers(), isGone);
      this.#look();
      if (sentTo !== undefined && this.#join(stream, opening, sentTo)) return;
      void this.#catchUp(stream, opening, place);
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Ends all streams; clients resume at another gateway after the last record that they have. */
  close(): void {
    this.#closed = true;
    for (const { stream } of this.#open.all()) stream.end();
  }

  /** Finds where the stream begins. With `sentTo`, it has nothing to catch up with. */
  async #beginning(opening: Opening): Promise<Found & { readonly sentTo?: SentTo }> {
    const { kind, after } = opening;
    const shown = await this.#shown(opening);
    const found = after === undefined ? undefined : await kind.find(shown.build, opening, after);
    if (found?.isGone === false) return found;
    const newest = await new SourceReader(opening).newest(shown);
    if (found !== undefined) return { ...found, place: nearer(found.place, newest) };
    const begins = { place: newest, isGone: false };
    return shown.build.name === shown.buildName ? { ...begins, sentTo: { place: newest, end: shown.end } } : begins;
  }

  async #shown(of: Followed): Promise<Shown> {
    const build = this.#options.views();
    const buildName = build.name;
    return { build, buildName, end: this.#endOf(of, await build.checkpoint()) };
  }

  #endOf({ kind, sourceId }: Followed, positions: Positions): number {
    return positions[positionKey(kind.topic, partitionOf(sourceId, this.#options.partitions))] ?? 0;
  }

  async #catchUp(stream: Stream, of: Followed, from: Place): Promise<void> {
    this.#behind++;
    try {
      await this.#readFor(stream, of, from);
    } finally {
      if (--this.#behind === 0) this.#pages.clear();
    }
  }

  /** Reads for a stream until it has all that its feed has sent; shares pages with other streams that catch up. */
  async #readFor(stream: Stream, of: Followed, from: Place): Promise<void> {
    const reader = new SourceReader(of);
    let place = from;
    while (stream.isOpen) {
      try {
        const { shown, page } = await this.#catchingUp.take(of.workspace, () =>
          this.#sendPage(stream, of, { reader, place }),
        );
        await stream.drained();
        const last = page?.documents.at(-1);
        if (last !== undefined) place = of.kind.placeOf(last);
        if (page?.isLast === false) continue;
        if (page !== undefined && this.#join(stream, of, { place, end: shown.end })) return;
        await delay(lookMs, undefined, { ref: false });
      } catch (error) {
        if (!mayPass(error)) return this.#fail(stream, error);
        await delay(retryMs, undefined, { ref: false });
      }
    }
  }

  /** The turn ends before the client has received the page, so a client that does not read delays nobody. */
  async #sendPage(stream: Stream, of: Followed, { reader, place }: CatchingUp): Promise<Sent> {
    const shown = await this.#shown(of);
    const asked = { key: feedKey(of), of, reader, place };
    const page = stream.isOpen ? await this.#pages.page(asked, shown) : undefined;
    const bytes = page?.encoded(stream.selection);
    if (bytes !== undefined) stream.write(bytes);
    reader.learn(bytes?.length ?? 0);
    await new Promise<void>((resolve) => void setImmediate(resolve));
    return { shown, page };
  }

  #fail(stream: Stream, error: unknown): void {
    stream.end();
    if (!this.#closed) this.#options.onFault(error);
  }

  /** Lets the stream join its feed. False: the feed is ahead of it. */
  #join(stream: Stream, of: Followed, at: SentTo): boolean {
    if (!stream.isOpen) return true;
    const key = feedKey(of);
    const feed = this.#feeds.get(key) ?? new Feed(of, at);
    this.#feeds.set(key, feed);
    return feed.join(stream, at);
  }

  #leaveFeed(stream: Stream, of: Followed): void {
    const feed = this.#feeds.get(feedKey(of));
    feed?.leave(stream);
    if (feed?.isEmpty === true) this.#feeds.delete(feedKey(of));
  }

  #look(): void {
    if (this.#looking) return;
    this.#looking = true;
    void this.#run();
  }

  async #run(): Promise<void> {
    while (this.#open.size > 0 && !this.#closed) {
      const startedAt = performance.now();
      this.#open.beat(startedAt, this.#options.beatMs);
      this.#endDeleted(startedAt);
      const failed = await this.#feed().catch((error: unknown) => this.#told(error));
      const lookedMs = performance.now() - startedAt;
      const restMs = failed ? retryMs : Math.min(restMsMax, Math.max(lookMs, lookedMs * restPerLook));
      await delay(restMs, undefined, { ref: false });
    }
    this.#looking = false;
  }

  /** Feeds every partition that has advanced; slow feeds continue in the background. True: some have failed. */
  async #feed(): Promise<boolean> {
    const build = this.#options.views();
    const buildName = build.name;
    const positions = await build.checkpoint();
    const sends: Promise<boolean>[] = [];
    for (const feed of this.#feeds.values()) {
      const end = this.#endOf(feed.followed, positions);
      if (feed.end === end || feed.isSending) continue;
      const told = (error: unknown): true => this.#told(error);
      sends.push(feed.send({ build, buildName, end }, this.#feeding).then(() => false, told));
    }
    if (sends.length === 0) return false;
    const failed = Promise.all(sends).then((each) => each.includes(true));
    return withinOr(failed, restMsMax, false);
  }

  #told(error: unknown): true {
    if (!mayPass(error)) this.#options.onFault(error);
    return true;
  }

  #endDeleted(now: number): void {
    for (const feed of this.#feeds.values()) {
      if (!this.#options.isDeleted(feed.followed.sourceId)) continue;
      const endsAt = this.#ending.get(feed);
      if (endsAt === undefined) this.#ending.set(feed, now + lastWordsMs);
      else if (now >= endsAt && !feed.isSending) feed.close();
    }
  }
}
