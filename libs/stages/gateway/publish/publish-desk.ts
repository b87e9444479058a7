// Publishes events: appends a request to the log, and returns its events' ids once runtime has appended them.
import { partitionOf } from '../../../domain/flow.ts';
import type { PublishRequest } from '../../../domain/publish/messages.ts';
import type { Log, Reply } from '../../../log/log.ts';
import type { Caller } from '../control/api-keys.ts';
import { Waiters } from '../control/waiting/waiters.ts';
import type { LogWatch } from '../control/log-watch.ts';
import type { GatewayLimits, GatewayOptions } from '../gateway-options.ts';
import { notFound, tooMany, unknownOutcome } from '../http/api-problem.ts';
import { newRequestId } from '../commands/new-request-id.ts';
import { requestRecord } from '../commands/request-record.ts';
import { PublishTurns } from './publish-turns.ts';

export type Published = Extract<Reply, { type: 'EventsPublished' }>;
type Answered = Published | 'gone';

const notInTime =
  'No runtime has carried this out in time: look at its health. It may still be carried out. With the same ids or the same Idempotency-Key it is safe to send it again.';

/** Waiting requests of each source, so that those of one do not block publishing to others. */
const ofSourceMax = 1_000;

export interface AskedPublish extends Pick<PublishRequest['data'], 'events' | 'requestKey'> {
  readonly sourceId: string;
  readonly caller: Caller;
  /** Size of the events as JSON. */
  readonly bytes: number;
}

export interface PublishDeskOptions extends Pick<GatewayOptions, 'ambient' | 'instanceId'> {
  readonly log: Log;
  readonly watch: LogWatch;
  readonly limits: GatewayLimits;
  /** Whether runtime has reported that the source's queue is full. */
  readonly isFull: (sourceId: string) => boolean;
}

export class PublishDesk {
  readonly #options: PublishDeskOptions;
  readonly #waiters = new Waiters<Answered>();
  readonly #turns: PublishTurns;
  /** How many requests wait, by source. */
  readonly #bySource = new Map<string, number>();
  #stopReceiving: (() => void) | undefined;

  constructor(options: PublishDeskOptions) {
    this.#options = options;
    this.#turns = new PublishTurns(options.limits.publishMs);
  }

  open(): void {
    const { log, instanceId } = this.#options;
    this.#stopReceiving = log.onReply(instanceId, (reply) => this.#receive(reply));
  }

  /** Ends all waiting requests: with an unknown outcome those on the log, with a refusal the others. */
  close(): void {
    this.#stopReceiving?.();
    this.#turns.close();
    this.#waiters.closeAll();
  }

  /** How many requests wait. */
  get waiting(): number {
    return this.#waiters.size;
  }

  /** Throws ApiProblem 429 before anything is appended, 404 or 503 `unknown_outcome` afterwards, or PortError. */
  async publish(asked: AskedPublish): Promise<Published> {
    const { sourceId, bytes, caller } = asked;
    const waiting = this.#bySource.get(sourceId) ?? 0;
    if (this.#options.isFull(sourceId) || waiting >= ofSourceMax) throw tooMany('The queue of this source is full.');
    if (this.#waiters.full) throw tooMany('Too many requests wait to be published.');
    this.#bySource.set(sourceId, waiting + 1);
    try {
      const size = { workspace: caller.workspace, sourceId, bytes };
      const answer = await this.#turns.take(size, () => this.#answered(asked));
      if (answer === 'gone') throw notFound();
      if (answer === 'timed_out') throw unknownOutcome(notInTime);
      if (typeof answer !== 'object') throw unknownOutcome();
      return answer;
    } finally {
      const left = (this.#bySource.get(sourceId) ?? 1) - 1;
      if (left === 0) this.#bySource.delete(sourceId);
      else this.#bySource.set(sourceId, left);
    }
  }

  /** Undefined: the log, which brings the answer, was lost. */
  async #answered(asked: AskedPublish): Promise<Answered | 'timed_out' | 'closed' | undefined> {
    const { ambient, log, watch, limits } = this.#options;
    const id = newRequestId(ambient);
    const record = this.#record(id, asked);
    const { key, correlationId } = record;
    // Waits before it sends, since the answer can arrive before the acknowledgement.
    const answer = this.#waiters.wait(correlationId, limits.publishMs);
    try {
      await log.request({ topic: 'triggers', partition: partitionOf(key, log.partitions), record });
      return await watch.whileAnswering(answer);
    } finally {
      this.#waiters.reach(correlationId, 'closed');
    }
  }

  #record(id: string, { caller, bytes: _, ...asked }: AskedPublish): PublishRequest {
    const { ambient, instanceId } = this.#options;
    const message = { type: 'EventsPublishRequested', data: { ...asked, replyTo: instanceId } } as const;
    return requestRecord(ambient, caller, { key: asked.sourceId, id, ...message });
  }

  #receive(reply: Reply): void {
    if (reply.type === 'EventsPublished') this.#waiters.reach(reply.correlationId, reply);
    if (reply.type === 'PublishRefused') this.#waiters.reach(reply.correlationId, 'gone');
  }
}
