// A log on disk with events of several sources and the delivery stage; counts what the stage has sent and read.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EgressGuard } from '../../../libs/egress/index.ts';
import type { Writer } from '../../../libs/log/log.ts';
import { SqliteLog } from '../../../libs/log/sqlite/sqlite-log.ts';
import type { StageLoop } from '../../../libs/stages/loop/stage-loop.ts';
import { UndiciWebhook } from '../../../libs/webhooks/index.ts';
import { removeLater } from '../../support/processes/left-behind.ts';
import { until } from '../../support/until.ts';
import type { Listening } from '../load/answering-sink.ts';
import { definitionsOf, eventRecord, firstRecords, recordOf } from '../delivery/records.ts';
import { startDelivery } from '../delivery/start-delivery.ts';

type WebhookRequest = Parameters<UndiciWebhook['post']>[0];

const batchRecords = 1_000;
const waitMs = 280_000;

/** The events that one webhook was sent. */
export interface SentEvents {
  count: number;
  /** Time of the first answer. */
  firstAt: number | undefined;
  /** The number of each event, and the time of its answer. */
  readonly answered: [number, number][];
}

export class History {
  /** Bytes of the records of `channels` and `indexes` that were read, as JSON. */
  readBytes = 0;
  readonly #log: SqliteLog;
  readonly #directory: string;
  readonly #runtime: Writer;
  readonly #lifecycle: Writer;
  readonly #sink: ChildProcess;
  readonly #url: string;
  readonly #sent = new Map<string, SentEvents>();
  readonly #loop: StageLoop;
  #emitted = 0;
  #requests = 0;

  private constructor(
    [log, directory]: readonly [SqliteLog, string],
    [runtime, lifecycle]: readonly [Writer, Writer],
    sink: ChildProcess,
    port: number,
  ) {
    this.#log = log;
    this.#directory = directory;
    this.#runtime = runtime;
    this.#lifecycle = lifecycle;
    this.#sink = sink;
    this.#url = `http://127.0.0.1:${port}/`;
    const undici = new UndiciWebhook({ guard: new EgressGuard(['127.0.0.0/8']) });
    const webhook = {
      post: async (request: WebhookRequest, signal?: AbortSignal) => {
        const outcome = await undici.post(request, signal);
        this.#recordSent(request);
        return outcome;
      },
      close: () => undici.close(),
    };
    this.#loop = startDelivery(log, webhook);
  }

  static async begin(): Promise<History> {
    const answering = new URL(`../load/answering-sink${extname(import.meta.url)}`, import.meta.url);
    const sink = fork(fileURLToPath(answering));
    const [{ port }] = (await once(sink, 'message')) as [Listening];
    const directory = removeLater(mkdtempSync(join(tmpdir(), 'history-')));
    const log = await SqliteLog.open({ file: join(directory, 'log.sqlite'), partitions: 1 });
    const lifecycle = await log.own('lifecycle', 0);
    await lifecycle.append(firstRecords(), {});
    return new History([log, directory], [await log.own('runtime', 0), lifecycle], sink, port);
  }

  /** Emits `count` events of 1 KB with the next numbers; `sourceAt` returns the source of each. */
  async emit(count: number, sourceAt: (n: number) => string): Promise<void> {
    for (let done = 0; done < count; done += batchRecords) {
      const length = Math.min(batchRecords, count - done);
      const events = Array.from({ length }, (_, i) => eventRecord(sourceAt(this.#emitted + i), this.#emitted + i));
      this.#emitted += length;
      await this.#runtime.append(events, {});
    }
  }

  /** The number of the next event. */
  get next(): number {
    return this.#emitted;
  }

  /** Resolves once delivery has read all events. */
  async waitUntilRead(): Promise<void> {
    const end = await this.#log.end('channels', 0);
    const isRead = async (): Promise<boolean> => {
      const marks = await this.#log.read('marks.delivery', 0, 0, { recordsMax: 1, bytesMax: 1 });
      const mark = marks.records[0]?.data as { readonly positions: Readonly<Record<string, number>> } | undefined;
      return (mark?.positions['channels/0'] ?? 0) >= end;
    };
    await until('delivery to have read all events', isRead, waitMs, 20);
  }

  /** Makes a webhook and its subscription; `from`: offset of the first event. */
  async subscribe(name: string, emitterId: string, from = 0): Promise<SentEvents> {
    const settings = { url: `${this.#url}${name}`, ordered: false, retrySchedule: null };
    const subscribed = { webhookId: `wh_${name}`, subscriptionId: `sub_${name}`, emitterId, from };
    await this.#lifecycle.append(definitionsOf(settings, subscribed), {});
    return this.#sentTo(name);
  }

  /** Replays all events to the same webhook; its deliveries are counted separately. */
  async replay(name: string, emitterId: string): Promise<SentEvents> {
    const replayId = `rpl_${String(++this.#requests).padStart(16, '0')}`;
    const order = { replayId, subscriptionId: `sub_${name}`, emitterId, rate: null, fingerprint: null, only: 'all' };
    const range = { from: { by: 'earliest', value: 0 }, to: { by: 'now', value: 0 } };
    const record = recordOf('ReplayRequested', `sub_${name}`, { ...order, ...range }, `rec_${replayId}`);
    await this.#log.request({ topic: 'requests', partition: 0, record: record as never });
    return this.#sentTo(replayId);
  }

  waitUntilSent(to: SentEvents, count: number): Promise<unknown> {
    return until(`${count} to be sent`, () => to.count >= count, waitMs, 5);
  }

  /** Begins to count reads by range. Nothing must be emitted from then on, because tails read the same way. */
  countReads(): void {
    const read = this.#log.read.bind(this.#log);
    this.#log.read = async (topic, ...range) => {
      const page = await read(topic, ...range);
      if (topic === 'channels' || topic === 'indexes') this.readBytes += bytesOf(page.records);
      return page;
    };
  }

  async end(): Promise<void> {
    await this.#loop.stop(1_000);
    await this.#log.close();
    rmSync(this.#directory, { recursive: true });
    this.#sink.disconnect();
    await once(this.#sink, 'exit');
  }

  #sentTo(name: string): SentEvents {
    const existing = this.#sent.get(name);
    if (existing !== undefined) return existing;
    const created: SentEvents = { count: 0, firstAt: undefined, answered: [] };
    this.#sent.set(name, created);
    return created;
  }

  #recordSent({ url, headers, body }: WebhookRequest): void {
    const to = this.#sentTo(headers['webhook-replay-id'] ?? url.slice(url.lastIndexOf('/') + 1));
    const at = performance.now();
    to.count++;
    to.firstAt ??= at;
    to.answered.push([Number(/^{"n":(\d+),/.exec(body)?.[1]), at]);
  }
}

export const sourceOf = (n: number): string => `dc_${String(n).padStart(16, '0')}`;

/** The bytes of records as JSON. */
export const bytesOf = (records: readonly object[]): number =>
  records.reduce((sum, record) => sum + JSON.stringify(record).length, 0);
