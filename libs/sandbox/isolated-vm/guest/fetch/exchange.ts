// One HTTP request in the guest: it waits in line, is sent to the host, and receives the response part by part.
import { toHost, send, setCurrentInvocation } from '../core/bridge.ts';
import { currentCall, isUnderWay } from '../core/calls.ts';
import type { Call, CallRequests } from '../core/calls.ts';
import { LimitError, limits } from '../core/guest-limits.ts';
import { askUnitsMax } from '../../wire.ts';
import {
  byteLength,
  bytesOn,
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

export interface Asked {
  readonly method: string;
  readonly url: string;
  /** Replaces the URL's path and query, and is sent unchanged. */
  readonly path?: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array | undefined;
  readonly redirect: string;
}

export interface AnswerHead {
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

const never = (): void => {};
const codedError = ({ code, message }: Failure): Error => objectAssign(new Error(message), { code });

export class FetchExchange {
  readonly id: number;
  readonly #call: Call;
  readonly #body: ArrayBuffer | undefined;
  readonly #head: string;
  readonly #answered = Promise.withResolvers<AnswerHead>();
  /** Received parts that are still unread, by number. */
  readonly #parts = new Map<number, Uint8Array>();
  #partCount = 0;
  #isAnswered = false;
  /** A part was requested from the host and has not arrived yet. */
  #isPulled = false;
  #waiting: PromiseWithResolvers<Uint8Array | undefined> | undefined;
  #failure: { readonly error: unknown } | undefined;
  #isComplete = false;
  /** Called when the request is over and cannot be aborted any more. */
  onOver: (() => void) | undefined;

  constructor(id: number, call: Call, asked: Asked) {
    this.id = id;
    this.#call = call;
    const { method, url, path, headers, body, redirect } = asked;
    // A copy, so that the component cannot change its size between measuring and sending.
    this.#body = body === undefined ? undefined : ownBuffer(body);
    this.#head = jsonStringify({ method, url, path, headers, redirect }) ?? '';
    if (this.#head.length > askUnitsMax)
      throw new LimitError(`The URL and the header fields may have ${askUnitsMax} characters`);
    // The caller might await it only after it has failed, so the rejection must not count as unhandled.
    this.#answered.promise.catch(never);
  }

  get answered(): Promise<AnswerHead> {
    return this.#answered.promise;
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
    this.#waiting ??= Promise.withResolvers<Uint8Array | undefined>();
    this.#pull();
    return this.#waiting.promise;
  }

  /** Whether a part of the response is being received that no reader waits for. */
  get isAhead(): boolean {
    return this.#isPulled && this.#waiting === undefined;
  }

  /** Requests one more part of a response that is not complete, and keeps it until it is read. */
  readAhead(): void {
    if (this.#isAnswered && !this.#isComplete && this.#failure === undefined) this.#pull();
  }

  #pull(): void {
    if (this.#isPulled) return;
    this.#isPulled = true;
    send(toHost.pull, this.id);
  }

  #keep(bytes: Uint8Array): void {
    mapSet(this.#parts, ++this.#partCount, bytes);
  }

  /** If the request was sent already, it keeps its place until the host reports that it is over. */
  abort(reason: unknown): void {
    if (this.#failure !== undefined || this.#isComplete) return;
    if (mapDelete(this.#call.requests.line, this.id)) mapDelete(exchanges, this.id);
    else send(toHost.abort, this.id);
    this.fail(reason);
  }

  /** Sends the request to the host if the run's limits allow it; they protect the host's memory, which others share. */
  leave(): void {
    if (takePlace(this.#call, this.id, this.bodyBytes))
      send(toHost.ask, this.id, this.#call.id, this.#head, this.#body);
  }

  answer(head: AnswerHead, bytes: ArrayBuffer | undefined, isLast: boolean): void {
    if (bytes !== undefined) this.#keep(bytesOn(bytes));
    this.#isAnswered = true;
    this.#isComplete = isLast;
    this.#answered.resolve(head);
  }

  part(bytes: ArrayBuffer | undefined, isLast: boolean): void {
    this.#isComplete = isLast;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    this.#isPulled = false;
    if (bytes !== undefined) {
      if (waiting === undefined) this.#keep(bytesOn(bytes));
      else waiting.resolve(bytesOn(bytes));
    } else if (isLast) waiting?.resolve(undefined);
    else if (waiting !== undefined) {
      this.#waiting = waiting;
      this.#pull();
    }
  }

  fail(error: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = { error };
    mapClear(this.#parts);
    this.#answered.reject(error);
    this.#waiting?.reject(error);
    this.#waiting = undefined;
  }
}

const exchanges = new Map<number, { readonly exchange: FetchExchange; readonly call: Call }>();
let lastId = 0;

const hasRoom = ({ open, bodyBytes }: CallRequests, bytes: number): boolean =>
  mapSize(open) < limits().requestsOpenMax && bodyBytes + bytes <= limits().requestBodyBytes;

function takePlace(call: Call, id: number, bytes: number): boolean {
  const { requests } = call;
  if (!isUnderWay(call) || mapHas(requests.open, id) || !hasRoom(requests, bytes)) return false;
  mapSet(requests.open, id, bytes);
  requests.bodyBytes += bytes;
  return true;
}

/** Call only when the host reports that the request is over. */
function giveUpPlace(call: Call, id: number): void {
  const { requests } = call;
  mapDelete(exchanges, id);
  requests.bodyBytes -= mapGet(requests.open, id) ?? 0;
  mapDelete(requests.open, id);
  advance(call);
}

/**
 * Unread responses that are received ahead while requests wait for a place, because a response keeps its place until it
 * is received. Each has at most 10 MiB, and the time limit of any request.
 */
const aheadMax = 4;

function readAhead({ open }: CallRequests): void {
  let left = aheadMax;
  mapEachKey(open, (id) => void (mapGet(exchanges, id)?.exchange.isAhead === true && left--));
  mapEachKey(open, (id) => {
    const exchange = mapGet(exchanges, id)?.exchange;
    if (left <= 0 || exchange === undefined || exchange.isAhead) return;
    exchange.readAhead();
    if (exchange.isAhead) left--;
  });
}

/** Sends waiting requests, in order, as long as there is room. */
function advance({ requests }: Call): void {
  for (;;) {
    const id = firstKey(requests.line);
    if (id === undefined) return;
    if (!hasRoom(requests, mapGet(requests.line, id) ?? 0)) return readAhead(requests);
    mapDelete(requests.line, id);
    mapGet(exchanges, id)?.exchange.leave();
  }
}

/** `call`: the invocation that began the request, which is not the current one if the request awaited its body. */
export function ask(asked: Asked, call = currentCall()): FetchExchange {
  if (call === undefined || !isUnderWay(call)) throw codedError({ code: 'ERR_ENDED', message: 'The run has ended' });
  if (call.id === 0) {
    const message = 'Requests can be made in run and in hooks, not while the component loads';
    throw codedError({ code: 'ERR_LOADING', message });
  }
  const exchange = new FetchExchange(++lastId, call, asked);
  const { bodyBytes } = exchange;
  const { requestBodyBytes } = limits();
  if (bodyBytes > requestBodyBytes)
    throw new LimitError(`The body has ${bodyBytes} bytes, ${requestBodyBytes} are allowed`);
  mapSet(exchanges, exchange.id, { exchange, call });
  mapSet(call.requests.line, exchange.id, bodyBytes);
  advance(call);
  return exchange;
}

/** Handles one message of the host about a request. */
function hear(id: number, isLast: boolean, tell: (exchange: FetchExchange) => void): void {
  const known = mapGet(exchanges, id);
  if (known === undefined) return;
  const { exchange, call } = known;
  setCurrentInvocation(call.id);
  if (isLast) giveUpPlace(call, id);
  tell(exchange);
  if (isLast) exchange.onOver?.();
  else advance(call);
}

export const hearAnswer = (id: number, head: string, bytes: ArrayBuffer | undefined, isLast: boolean): void =>
  hear(id, isLast, (exchange) => exchange.answer(jsonParse(head) as AnswerHead, bytes, isLast));

export const hearPart = (id: number, bytes: ArrayBuffer | undefined, isLast: boolean): void =>
  hear(id, isLast, (exchange) => exchange.part(bytes, isLast));

export const hearFailure = (id: number, failure: string): void =>
  hear(id, true, (exchange) => exchange.fail(codedError(jsonParse(failure) as Failure)));

/** Call after the end of an invocation, when the host has aborted its requests. */
export function forgetRequests({ requests }: Call): void {
  const forget = (id: number): void => void mapDelete(exchanges, id);
  mapEachKey(requests.open, forget);
  mapEachKey(requests.line, forget);
  mapClear(requests.open);
  mapClear(requests.line);
}
