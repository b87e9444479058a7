// Publishes events: appends a request to the log, and returns its events' ids once runtime has appended them.
import { partitionOf } from '../../../domain/flow.ts';
import type { PublishRequest } from '../../../domain/publish/messages.ts';
import type { Log, Reply } from '../../../log/log.ts';
import type { Caller } from '../control/api-keys.ts';
import { Waiters } from '../control/waiting/waiters.ts';
import type { LogWatch } from '../control/log-watch.ts';
import type { GatewayLimits, GatewayOptions } from '../gateway-options.ts';
import { notFound, tooManyRequests, unknownOutcome } from '../http/api-problem.ts';
import { newRequestId } from '../commands/new-request-id.ts';
import { requestRecord } from '../commands/request-record.ts';
import { PublishTurns } from './publish-turns.ts';

export type Published = Extract<Reply, { type: 'EventsPublished' }>;
type PublishAnswer = Published | 'gone';

const timeoutMessage =
  'No runtime has carried this out in time: look at its health. It may still be carried out. With the same ids or the same Idempotency-Key it is safe to send it again.';

/** Waiting requests of each source, so that those of one do not block publishing to others. */
const perSourceMax = 1_000;

export interface PublishInput extends Pick<PublishRequest['data'], 'events' | 'requestKey'> {
  readonly sourceId: string;
  readonly caller: Caller;
  /** Size of the events as JSON. */
  readonly bytes: number;
}

export interface EventPublisherOptions extends Pick<GatewayOptions, 'ambient' | 'instanceId'> {
  readonly log: Log;
  readonly watch: LogWatch;
  readonly limits: GatewayLimits;
  /** Whether runtime has reported that the source's queue is full. */
  readonly isSourceFull: (sourceId: string) => boolean;
}

export class EventPublisher {
  readonly #options: EventPublisherOptions;
  readonly #waiters = new Waiters<PublishAnswer>();
  readonly #turns: PublishTurns;
  /** How many requests wait, by source. */
  readonly #waitingBySource = new Map<string, number>();
  #stopReceiving: (() => void) | undefined;

  constructor(options: EventPublisherOptions) {
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
  get waitingCount(): number {
    return this.#waiters.size;
  }

  /** Throws ApiProblem 429 before anything is appended, 404 or 503 `unknown_outcome` afterwards, or PortError. */
  async publish(input: PublishInput): Promise<Published> {
    const { sourceId, bytes, caller } = input;
    const waiting = this.#waitingBySource.get(sourceId) ?? 0;
    if (this.#options.isSourceFull(sourceId) || waiting >= perSourceMax)
      throw tooManyRequests('The queue of this source is full.');
    if (this.#waiters.isFull) throw tooManyRequests('Too many requests wait to be published.');
    this.#waitingBySource.set(sourceId, waiting + 1);
    try {
      const size = { workspace: caller.workspace, sourceId, bytes };
      const answer = await this.#turns.run(size, () => this.#requestPublish(input));
      if (answer === 'gone') throw notFound();
      if (answer === 'timed_out') throw unknownOutcome(timeoutMessage);
      if (typeof answer !== 'object') throw unknownOutcome();
      return answer;
    } finally {
      const remaining = (this.#waitingBySource.get(sourceId) ?? 1) - 1;
      if (remaining === 0) this.#waitingBySource.delete(sourceId);
      else this.#waitingBySource.set(sourceId, remaining);
    }
  }

  /** Undefined: the log, which brings the answer, was lost. */
  async #requestPublish(input: PublishInput): Promise<PublishAnswer | 'timed_out' | 'closed' | undefined> {
    const { ambient, log, watch, limits } = this.#options;
    const id = newRequestId(ambient);
    const record = this.#record(id, input);
    const { key, correlationId } = record;
    // Waits before it sends, since the answer can arrive before the acknowledgement.
    const answer = this.#waiters.wait(correlationId, limits.publishMs);
    try {
      await log.request({ topic: 'triggers', partition: partitionOf(key, log.partitions), record });
      return await watch.whileLogAnswers(answer);
    } finally {
      this.#waiters.settle(correlationId, 'closed');
    }
  }

  #record(id: string, { caller, bytes: _, ...data }: PublishInput): PublishRequest {
    const { ambient, instanceId } = this.#options;
    const message = { type: 'EventsPublishRequested', data: { ...data, replyTo: instanceId } } as const;
    return requestRecord(ambient, caller, { key: data.sourceId, id, ...message });
  }

  #receive(reply: Reply): void {
    if (reply.type === 'EventsPublished') this.#waiters.settle(reply.correlationId, reply);
    if (reply.type === 'PublishRefused') this.#waiters.settle(reply.correlationId, 'gone');
  }
}
