// One HTTP request in the guest: it waits in a queue, is sent to the host, and receives the response part by part.
import { toHost, send, setCurrentInvocation } from '../core/bridge.ts';
import { currentCall, isUnderWay } from '../core/calls.ts';
import type { Call, CallRequests } from '../core/calls.ts';
import { LimitError, limits } from '../core/guest-limits.ts';
import { requestHeadUnitsMax } from '../../wire.ts';
import {
  byteLength,
  bytesIn,
  firstKey,
  jsonParse,
  jsonStringify,
  mapClear,
  mapDelete,
  mapEachKey,
  mapGet,
  mapHas,
  mapSet,
  mapSize,
  objectAssign,
  ownBuffer,
} from '../core/primordials.ts';

export interface OutgoingRequest {
  readonly method: string;
  readonly url: string;
  /** Replaces the URL's path and query, and is sent unchanged. */
  readonly path?: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array | undefined;
  readonly redirect: string;
}

export interface ResponseHead {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly url: string;
  readonly redirected: boolean;
}

interface Failure {
  readonly code: string;
  readonly message: string;
}

const ignoreRejection = (): void => {};
const codedError = ({ code, message }: Failure): Error => objectAssign(new Error(message), { code });

export class FetchExchange {
  readonly id: number;
  readonly #call: Call;
  readonly #body: ArrayBuffer | undefined;
  readonly #head: string;
  readonly #responseHead = Promise.withResolvers<ResponseHead>();
  /** Received parts that are still unread, by number. */
  readonly #parts = new Map<number, Uint8Array>();
  #partCount = 0;
  #hasHead = false;
  /** A part was requested from the host and has not arrived yet. */
  #isPullPending = false;
  #pendingRead: PromiseWithResolvers<Uint8Array | undefined> | undefined;
  #failure: { readonly error: unknown } | undefined;
  #isComplete = false;
  /** Called when the request is over and cannot be aborted any more. */
  onClosed: (() => void) | undefined;

  constructor(id: number, call: Call, request: OutgoingRequest) {
    this.id = id;
    this.#call = call;
    const { method, url, path, headers, body, redirect } = request;
    // A copy, so that the component cannot change its size between measuring and sending.
    this.#body = body === undefined ? undefined : ownBuffer(body);
    this.#head = jsonStringify({ method, url, path, headers, redirect }) ?? '';
    if (this.#head.length > requestHeadUnitsMax)
      throw new LimitError(`The URL and the header fields may have ${requestHeadUnitsMax} characters`);
    // The caller might await it only after it has failed, so the rejection must not count as unhandled.
    this.#responseHead.promise.catch(ignoreRejection);
  }

  get responseHead(): Promise<ResponseHead> {
    return this.#responseHead.promise;
  }

  get bodyBytes(): number {
    return this.#body === undefined ? 0 : byteLength(this.#body);
  }

  /** The next part of the response; undefined at its end. One call at a time. */
  read(): Promise<Uint8Array | undefined> {
    const first = firstKey(this.#parts);
    if (first !== undefined) {
      const part = mapGet(this.#parts, first);
      mapDelete(this.#parts, first);
      return Promise.resolve(part);
    }
    if (this.#failure !== undefined) return Promise.reject(this.#failure.error);
    if (this.#isComplete) return Promise.resolve(undefined);
    this.#pendingRead ??= Promise.withResolvers<Uint8Array | undefined>();
    this.#pull();
    return this.#pendingRead.promise;
  }

  /** Whether a part of the response is being received that no reader waits for. */
  get isReadingAhead(): boolean {
    return this.#isPullPending && this.#pendingRead === undefined;
  }

  /** Requests one more part of a response that is not complete, and keeps it until it is read. */
  readAhead(): void {
    if (this.#hasHead && !this.#isComplete && this.#failure === undefined) this.#pull();
  }

  #pull(): void {
    if (this.#isPullPending) return;
    this.#isPullPending = true;
    send(toHost.pull, this.id);
  }

  #bufferPart(bytes: Uint8Array): void {
    mapSet(this.#parts, ++this.#partCount, bytes);
  }

  /** If the request was sent already, it keeps its slot until the host reports that it is over. */
  abort(reason: unknown): void {
    if (this.#failure !== undefined || this.#isComplete) return;
    if (mapDelete(this.#call.requests.queued, this.id)) mapDelete(exchanges, this.id);
    else send(toHost.abort, this.id);
    this.fail(reason);
  }

  /** Sends the request to the host if the run's limits allow it; they protect the host's memory, which others share. */
  sendIfAllowed(): void {
    if (acquireSlot(this.#call, this.id, this.bodyBytes))
      send(toHost.ask, this.id, this.#call.id, this.#head, this.#body);
  }

  receiveHead(head: ResponseHead, bytes: ArrayBuffer | undefined, isLast: boolean): void {
    if (bytes !== undefined) this.#bufferPart(bytesIn(bytes));
    this.#hasHead = true;
    this.#isComplete = isLast;
    this.#responseHead.resolve(head);
  }

  receivePart(bytes: ArrayBuffer | undefined, isLast: boolean): void {
    this.#isComplete = isLast;
    const pendingRead = this.#pendingRead;
    this.#pendingRead = undefined;
    this.#isPullPending = false;
    if (bytes !== undefined) {
      if (pendingRead === undefined) this.#bufferPart(bytesIn(bytes));
      else pendingRead.resolve(bytesIn(bytes));
    } else if (isLast) pendingRead?.resolve(undefined);
    else if (pendingRead !== undefined) {
      this.#pendingRead = pendingRead;
      this.#pull();
    }
  }

  fail(error: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = { error };
    mapClear(this.#parts);
    this.#responseHead.reject(error);
    this.#pendingRead?.reject(error);
    this.#pendingRead = undefined;
  }
}

const exchanges = new Map<number, { readonly exchange: FetchExchange; readonly call: Call }>();
let lastId = 0;

const hasFreeSlot = ({ open, bodyBytes }: CallRequests, bytes: number): boolean =>
  mapSize(open) < limits().requestsOpenMax && bodyBytes + bytes <= limits().requestBodyBytes;

function acquireSlot(call: Call, id: number, bytes: number): boolean {
  const { requests } = call;
  if (!isUnderWay(call) || mapHas(requests.open, id) || !hasFreeSlot(requests, bytes)) return false;
  mapSet(requests.open, id, bytes);
  requests.bodyBytes += bytes;
  return true;
}

/** Call only when the host reports that the request is over. */
function releaseSlot(call: Call, id: number): void {
  const { requests } = call;
  mapDelete(exchanges, id);
  requests.bodyBytes -= mapGet(requests.open, id) ?? 0;
  mapDelete(requests.open, id);
  sendQueued(call);
}

/**
 * Unread responses that are received ahead while requests wait for a slot, because a response keeps its slot until it
 * is received. Each has at most 10 MiB, and the time limit of any request.
 */
const aheadMax = 4;

function readAhead({ open }: CallRequests): void {
  let remaining = aheadMax;
  mapEachKey(open, (id) => void (mapGet(exchanges, id)?.exchange.isReadingAhead === true && remaining--));
  mapEachKey(open, (id) => {
    const exchange = mapGet(exchanges, id)?.exchange;
    if (remaining <= 0 || exchange === undefined || exchange.isReadingAhead) return;
    exchange.readAhead();
    if (exchange.isReadingAhead) remaining--;
  });
}

/** Sends waiting requests, in order, as long as there is room. */
function sendQueued({ requests }: Call): void {
  for (;;) {
    const id = firstKey(requests.queued);
    if (id === undefined) return;
    if (!hasFreeSlot(requests, mapGet(requests.queued, id) ?? 0)) return readAhead(requests);
    mapDelete(requests.queued, id);
    mapGet(exchanges, id)?.exchange.sendIfAllowed();
  }
}

/** `call`: the invocation that began the request, which is not the current one if the request awaited its body. */
export function beginExchange(request: OutgoingRequest, call = currentCall()): FetchExchange {
  if (call === undefined || !isUnderWay(call)) throw codedError({ code: 'ERR_ENDED', message: 'The run has ended' });
  if (call.id === 0) {
    const message = 'Requests can be made in run and in hooks, not while the component loads';
    throw codedError({ code: 'ERR_LOADING', message });
  }
  const exchange = new FetchExchange(++lastId, call, request);
  const { bodyBytes } = exchange;
  const { requestBodyBytes } = limits();
  if (bodyBytes > requestBodyBytes)
    throw new LimitError(`The body has ${bodyBytes} bytes, ${requestBodyBytes} are allowed`);
  mapSet(exchanges, exchange.id, { exchange, call });
  mapSet(call.requests.queued, exchange.id, bodyBytes);
  sendQueued(call);
  return exchange;
}

/** Handles one message of the host about a request. */
function handleMessage(id: number, isLast: boolean, deliver: (exchange: FetchExchange) => void): void {
  const entry = mapGet(exchanges, id);
  if (entry === undefined) return;
  const { exchange, call } = entry;
  setCurrentInvocation(call.id);
  if (isLast) releaseSlot(call, id);
  deliver(exchange);
  if (isLast) exchange.onClosed?.();
  else sendQueued(call);
}

export const handleResponseHead = (id: number, head: string, bytes: ArrayBuffer | undefined, isLast: boolean): void =>
  handleMessage(id, isLast, (exchange) => exchange.receiveHead(jsonParse(head) as ResponseHead, bytes, isLast));

export const handlePart = (id: number, bytes: ArrayBuffer | undefined, isLast: boolean): void =>
  handleMessage(id, isLast, (exchange) => exchange.receivePart(bytes, isLast));

export const handleFailure = (id: number, failure: string): void =>
  handleMessage(id, true, (exchange) => exchange.fail(codedError(jsonParse(failure) as Failure)));

/** Call after the end of an invocation, when the host has aborted its requests. */
export function dropRequests({ requests }: Call): void {
  const drop = (id: number): void => void mapDelete(exchanges, id);
  mapEachKey(requests.open, drop);
  mapEachKey(requests.queued, drop);
  mapClear(requests.open);
  mapClear(requests.queued);
}
