// Carries out requests to data stores in the order of the log, each with the next append, and answers after it.
import type { Json } from '../../../domain/json.ts';
import { derivedId } from '../../../domain/id.ts';
import type { Millis, StoredRecord } from '../../../domain/message.ts';
import { versionOf } from '../../../domain/record/record-version.ts';
import { requestsKey } from '../../../domain/store/messages.ts';
import type { StoreRequest } from '../../../domain/store/messages.ts';
import { isReadOnly, readQuestion } from '../../../domain/store/question.ts';
import type { StoreOp } from '../../../domain/store/question.ts';
import { chainFrom } from '../../../domain/trace/chain.ts';
import type { Chain } from '../../../domain/trace/chain.ts';
import type { MessageOn } from '../../../domain/messages-of.ts';
import type { Ambient } from '../../../domain/ambient.ts';
import { Fifo } from '../../../primitives/collections/fifo.ts';
import type { OutgoingOn, Position } from '../../../log/index.ts';
import type { TaskContext } from '../../loop/stage.ts';
import type { Backlog } from '../lanes/backlog.ts';
import type { GatewayReply, OutputBatch } from '../output/output-batch.ts';
import { tombstoneBytes } from '../output/record-bytes.ts';
import type { Vault } from '../source/vault.ts';
import { HeldRequests } from './held-requests.ts';
import type { Stores } from './stores.ts';
import type { StoreResult, StoreChange } from './workspace-stores.ts';

/** The size of a record on `stores` without its sealed values. */
const envelopeBytes = 768;
/** The most tombstones of expired keys in one append: the rest of it is for finished triggers. */
const expiredPerAppend = 1_000;
/**
 * The most bytes of sealed answers sent with one append, or between two appends: a question of 400 bytes can have an
 * answer of 700 KiB. The last answer can exceed the bound.
 */
export const answersBytesMax = 4 * 1024 * 1024;
/** How long an expired entry can stay on the log; it cannot be read from its expiry on. */
const expiryCheckMs = 30_000;

export interface StoreRequestsOptions {
  readonly stores: Stores;
  readonly vault: Vault;
  readonly backlog: Backlog;
  readonly ambient: Pick<Ambient, 'now'>;
  readonly context: Pick<TaskContext, 'ready' | 'partition' | 'fail'> & {
    readonly log: Pick<TaskContext['log'], 'reply' | 'read' | 'settledEnd'>;
  };
  /** The positions at which the task began to read. */
  readonly start: readonly Position[];
}

interface WaitingRequest {
  readonly request: StoredRecord<StoreRequest>;
  /** Undefined: the question cannot be opened. */
  readonly question: Json | undefined;
  readonly bytes: number;
}

const unreadableResult: StoreResult = {
  answer: { refused: 'sealed', message: 'The request cannot be opened: it is damaged' },
  changes: [],
};

export class StoreRequests {
  readonly #options: StoreRequestsOptions;
  readonly #held: HeldRequests;
  readonly #waiting = new Fifo<WaitingRequest>();
  /** Expired keys of `stores` that need a tombstone. */
  readonly #expired = new Fifo<string>();
  /** The number of appends with records of `stores` that the log has not confirmed. */
  #unconfirmed = 0;
  /** The size of the answers since the last append began. */
  #answersBytes = 0;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: StoreRequestsOptions) {
    this.#options = options;
    this.#held = new HeldRequests({
      ...options,
      keysFrom: options.start.find(({ topic }) => topic === 'keys')?.offset ?? 0,
      release: (request) => this.#release(request),
    });
    this.#scheduleExpiry();
  }

  get isReady(): boolean {
    return this.#waiting.length > 0 || this.#expired.length > 0;
  }

  /**
   * Skips a request that an earlier owner has carried out. A read with nothing unsaved before it is answered at once,
   * unless much was answered since the last append.
   */
  add(request: StoredRecord<StoreRequest>): void {
    const { stores, backlog } = this.#options;
    if (request.offset < stores.handledBelow) return;
    if (this.#held.mustHold(request)) {
      backlog.addPublish(request.offset, bytesOfRequest(request));
      return this.#held.hold(request);
    }
    const waiting = this.#unsealRequest(request);
    const isQueueIdle = this.#waiting.length === 0 && this.#unconfirmed === 0;
    if (isQueueIdle && this.#canAnswer && isRead(waiting.question)) {
      const { gateway, reply } = this.#carryOut(waiting).reply;
      return this.#options.context.log.reply(gateway, reply);
    }
    backlog.addPublish(request.offset, waiting.bytes);
    this.#waiting.push(waiting);
  }

  /**
   * Adds as many requests to the batch as fit into `bytesMax`; at least one if `canBeFirst` and the batch is empty.
   * False: there was no room even for the first.
   */
  takeInto(batch: OutputBatch, bytesMax: number, canBeFirst: boolean): boolean {
    const { stores, backlog } = this.#options;
    let taken = 0;
    this.#answersBytes = 0;
    let changeCause: StoreRequest | undefined;
    for (let first = this.#waiting.peek(); first !== undefined && this.#canAnswer; first = this.#waiting.peek()) {
      const { request, question, bytes } = first;
      // Emptying a store erases thousands of keys, so such a request is taken only as the first one of an append.
      const needed = bytes + stores.rewrittenBytes(request.workspace, question) + envelopeBytes + tombstoneBytes;
      const isFirst = batch.isEmpty && canBeFirst;
      if (!isFirst && (clearsStore(question) || !batch.hasRoom(needed, bytesMax))) break;
      this.#waiting.shift();
      taken++;
      const { changes, reply } = this.#carryOut(first);
      this.#put(batch, changes, request);
      // Also noted if the request was refused: read again after a restart, it might be carried out.
      if (changes.length > 0 || !isRead(question)) changeCause = request;
      batch.replies.push(reply);
      stores.handledBelow = request.offset + 1;
      backlog.publishDone(request.offset, bytes);
    }
    if (changeCause !== undefined) {
      const event = { type: 'StoreRequestsTaken', data: { below: stores.handledBelow } } as const;
      this.#put(batch, [{ key: requestsKey, event }], changeCause);
    }
    // After the requests: some of them need an empty batch, and keys can expire at any time.
    const hasExpired = this.#takeExpired(batch, bytesMax);
    if (changeCause !== undefined || hasExpired) this.#unconfirmed++;
    return taken > 0 || hasExpired || !this.isReady;
  }

  /** Call with the records of each confirmed append. */
  appended(records: readonly OutgoingOn[]): void {
    if (records.some(({ topic }) => topic === 'stores')) this.#unconfirmed--;
    this.#scheduleExpiry();
  }

  /** Waiting requests can still be taken; keys that expire later are left to the next owner. */
  stop(): void {
    this.#isStopped = true;
    this.#held.stop();
    clearTimeout(this.#timer);
  }

  #release(request: StoredRecord<StoreRequest>): void {
    this.#waiting.push(this.#unsealRequest(request));
    this.#options.context.ready();
  }

  #unsealRequest(request: StoredRecord<StoreRequest>): WaitingRequest {
    return { request, question: this.#unsealQuestion(request), bytes: bytesOfRequest(request) };
  }

  get #canAnswer(): boolean {
    return this.#answersBytes < answersBytesMax;
  }

  #unsealQuestion({ workspace, data }: StoreRequest): Json | undefined {
    try {
      return this.#options.vault.open(workspace, data.question);
    } catch {
      return undefined;
    }
  }

  #carryOut({ request, question }: WaitingRequest): {
    readonly changes: readonly StoreChange[];
    readonly reply: GatewayReply;
  } {
    const { stores, vault } = this.#options;
    const { id, workspace, offset, data } = request;
    const now = this.#expireEntries();
    const { answer, changes } =
      question === undefined ? unreadableResult : stores.answer(workspace, question, { now, slot: offset });
    const sealed = vault.seal(workspace, JSON.stringify(answer));
    this.#answersBytes += sealed?.$sealed.length ?? 0;
    const reply = { type: 'DataStoreAnswered', requestId: id, answer: sealed } as const;
    return { changes, reply: { gateway: data.replyTo, reply } };
  }

  #expireEntries(): Millis {
    const now = this.#options.ambient.now();
    for (const key of this.#options.stores.expire(now)) this.#expired.push(key);
    if (this.#expired.length > 0) this.#options.context.ready();
    return now;
  }

  #takeExpired(batch: OutputBatch, bytesMax: number): boolean {
    const changes: StoreChange[] = [];
    for (let key = this.#expired.peek(); key !== undefined && changes.length < expiredPerAppend;) {
      if (!batch.hasRoom((changes.length + 1) * tombstoneBytes, bytesMax)) break;
      changes.push({ key, event: null });
      this.#expired.shift();
      key = this.#expired.peek();
    }
    this.#put(batch, changes, undefined);
    return changes.length > 0;
  }

  #put(batch: OutputBatch, changes: readonly StoreChange[], cause: StoreRequest | undefined): void {
    const { partition } = this.#options.context;
    let bytes = 0;
    const records = changes.map((change): OutgoingOn<'stores'> => {
      bytes += bytesOf(change);
      return { topic: 'stores', partition, record: recordOf(change, batch.now, cause) };
    });
    if (records.length > 0) batch.attach(records, bytes);
  }

  /** Erases expired keys even if there are no more requests. */
  #scheduleExpiry(): void {
    clearTimeout(this.#timer);
    const { nextExpiry } = this.#options.stores;
    if (nextExpiry === undefined || this.#isStopped) return;
    const waitMs = Math.max(1, Math.min(nextExpiry - this.#options.ambient.now(), expiryCheckMs));
    this.#timer = setTimeout(() => {
      this.#expireEntries();
      this.#scheduleExpiry();
    }, waitMs).unref();
  }
}

const bytesOfRequest = ({ data }: StoreRequest): number => data.question.$sealed.length;

const opOf = (question: Json | undefined): StoreOp | undefined => {
  const read = question === undefined ? '' : readQuestion(question);
  return typeof read === 'string' ? undefined : read.op;
};

const isRead = (question: Json | undefined): boolean => {
  const op = opOf(question);
  return op !== undefined && isReadOnly(op);
};

const clearsStore = (question: Json | undefined): boolean => ['clear', 'remove'].includes(opOf(question) ?? '');

function bytesOf({ event }: StoreChange): number {
  if (event?.type === 'StoreEntrySaved')
    return event.data.name.$sealed.length + event.data.value.$sealed.length + envelopeBytes;
  return event?.type === 'DataStoreSaved'
    ? Buffer.byteLength(JSON.stringify(event.data.name)) + envelopeBytes
    : tombstoneBytes;
}

function recordOf({ key, event }: StoreChange, at: Millis, cause: StoreRequest | undefined): MessageOn<'stores'> {
  const id = derivedId('rec', 'store', `${key}@${at}`, cause?.id ?? '');
  const { workspace = '', correlationId, causationId } = { ...chainFrom(id, 'runtime'), ...chainOf(cause) };
  const envelope = { id, key, at, workspace, correlationId, causationId };
  if (event === null) return { ...envelope, version: 1, type: 'StoreEntrySaved', data: undefined };
  return { ...envelope, ...event, version: versionOf(event) };
}

const chainOf = (cause: StoreRequest | undefined): Partial<Pick<StoreRequest, 'workspace' | keyof Chain>> =>
  cause === undefined ? {} : { workspace: cause.workspace, correlationId: cause.correlationId, causationId: cause.id };
