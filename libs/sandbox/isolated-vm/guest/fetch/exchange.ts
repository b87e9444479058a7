// One HTTP request as the guest sees it: it waits in line, is sent, and its answer comes from the host part by part.
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
  /** Sent as it is, in place of the URL's path and query. */
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
  /** By number: parts that have come and have not been read yet. */
  readonly #parts = new Map<number, Uint8Array>();
  #partCount = 0;
  #isAnswered = false;
  /** The host was asked for a part, which has not come yet. */
  #isPulled = false;
  #waiting: PromiseWithResolvers<Uint8Array | undefined> | undefined;
  #failure: { readonly error: unknown } | undefined;
  #isComplete = false;
  /** Called when there is nothing left to abort. */
  onOver: (() => void) | undefined;

  constructor(id: number, call: Call, asked: Asked) {
    this.id = id;
    this.#call = call;
    const { method, url, path, headers, body, redirect } = asked;
    // Its own copy, so that nobody changes its size between measuring and sending.
    this.#body = body === undefined ? undefined : ownBuffer(body);
    this.#head = jsonStringify({ method, url, path, headers, redirect }) ?? '';
    if (this.#head.length > askUnitsMax)
      throw new LimitError(`The URL and the header fields may have ${askUnitsMax} characters`);
    // The caller awaits it, maybe only after it has failed.
    this.#answered.promise.catch(never);
  }

  get answered(): Promise<AnswerHead> {
    return this.#answered.promise;
  }

  get bodyBytes(): number {
    return this.#body === undefined ? 0 : byteLength(this.#body);
  }

  /** More of the answer; undefined at its end. One at a time. */
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

  /** Its answer is being received although nobody reads it. */
  get isAhead(): boolean {
    return this.#isPulled && this.#waiting === undefined;
  }

  /** Receives more of the answer, if there is one that nobody reads; it is kept until it is read. */
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

  /** Its place becomes free when the host says so. */
  abort(reason: unknown): void {
    if (this.#failure !== undefined || this.#isComplete) return;
    if (mapDelete(this.#call.requests.line, this.id)) mapDelete(exchanges, this.id);
    else send(toHost.abort, this.id);
    this.fail(reason);
  }

  /** Sends it to the host, whose memory others share: only within what one run may have open. */
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

/** Call only when the host says that the request is over. */
function giveUpPlace(call: Call, id: number): void {
  const { requests } = call;
  mapDelete(exchanges, id);
  requests.bodyBytes -= mapGet(requests.open, id) ?? 0;
  mapDelete(requests.open, id);
  advance(call);
}

/**
 * Unread answers that are received ahead while requests wait for a place: an answer keeps its place until it is
 * received. Each has at most 10 MiB, and the time limit of any request.
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

/** Requests in line are sent, in order, as long as there is room. */
function advance({ requests }: Call): void {
  for (;;) {
    const id = firstKey(requests.line);
    if (id === undefined) return;
    if (!hasRoom(requests, mapGet(requests.line, id) ?? 0)) return readAhead(requests);
    mapDelete(requests.line, id);
    mapGet(exchanges, id)?.exchange.leave();
  }
}

/** `call`: the invocation that began it; it may have waited for its body since. */
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

/** Handles what the host reports of a request. */
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

/** For an invocation that has ended: the host has aborted its requests. */
export function forgetRequests({ requests }: Call): void {
  const forget = (id: number): void => void mapDelete(exchanges, id);
  mapEachKey(requests.open, forget);
  mapEachKey(requests.line, forget);
  mapClear(requests.open);
  mapClear(requests.line);
}
