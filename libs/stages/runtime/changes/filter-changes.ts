// Carries out requests to record a change of a subscription's filter between the events: in order, in the next append.
import type { ChannelEvent, FilterChangeRequest } from '../../../domain/channel/messages.ts';
import type { Millis, StoredRecord } from '../../../domain/message.ts';
import { versionOf } from '../../../domain/record/record-version.ts';
import { recordAfter } from '../../../domain/run/run-output.ts';
import { everyGateway } from '../../../log/index.ts';
import { Fifo } from '../../../primitives/collections/fifo.ts';
import type { Backlog } from '../lanes/backlog.ts';
import type { OutputBatch } from '../output/output-batch.ts';

type Request = StoredRecord<FilterChangeRequest>;

/** The size of a record: its envelope, an id and a number. */
const changeBytes = 1_024;

export interface FilterChangesOptions {
  readonly context: { readonly partition: number };
  readonly backlog: Backlog;
}

export class FilterChanges {
  readonly #options: FilterChangesOptions;
  readonly #ready = new Fifo<Request>();

  constructor(options: FilterChangesOptions) {
    this.#options = options;
  }

  get isReady(): boolean {
    return this.#ready.peek() !== undefined;
  }

  /** A request that was carried out before a kill is carried out again, which changes nothing. */
  add(request: Request): void {
    this.#options.backlog.addRequest(request.offset);
    this.#ready.push(request);
  }

  /** Carries out as many requests as fit; gateways are told once the changes are on the log. */
  takeInto(batch: OutputBatch, bytesMax: number): void {
    const { context, backlog } = this.#options;
    const { partition } = context;
    for (let request = this.#ready.peek(); request !== undefined; request = this.#ready.peek()) {
      if (!batch.isEmpty && !batch.hasRoom(changeBytes, bytesMax)) return;
      batch.attach([{ topic: 'channels', partition, record: changeRecord(request, batch.now) }], changeBytes);
      const { correlationId, offset } = request;
      batch.replies.push({ gateway: everyGateway, reply: { type: 'FilterTaken', correlationId, partition } });
      this.#ready.shift();
      backlog.requestDone(offset);
    }
  }
}

function changeRecord(request: Request, now: Millis): ChannelEvent {
  const type = 'FilterChanged' as const;
  const { data } = request;
  return { ...recordAfter(request, 'change', now), type, version: versionOf({ type, data }), data };
}
