// One HTTP request as the guest sees it: it waits in line, leaves, and its answer comes part by part from the host.
import { op, send, setCurrentInvocation } from '../core/bridge.ts';
import { currentCall, isUnderWay } from '../core/calls.ts';
import type { Call } from '../core/calls.ts';
import { LimitError, limits } from '../core/limits.ts';
import { askUnitsMax } from '../../wire.ts';
import { jsonParse, jsonStringify, mapDelete, mapGet, mapSet } from '../core/primordials.ts';

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: ArrayBuffer | undefined;
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
const codedError = ({ code, message }: Failure): Error => Object.assign(new Error(message), { code });

export class Exchange {
  readonly id: number;
  readonly #call: Call;
  readonly #asked: Asked;
  readonly #head: string;
  readonly #answered = Promise.withResolvers<AnswerHead>();
  /** Came with the head, and has not been read. */
  #first: Uint8Array | undefined;
  #waiting: PromiseWithResolvers<Uint8Array | undefined> | undefined;
  #failure: { readonly error: unknown } | undefined;
  #isComplete = false;
  /** Called when nothing more of it can be aborted. */
  onOver: (() => void) | undefined;

  constructor(id: number, call: Call, asked: Asked) {
    this.id = id;
    this.#call = call;
    this.#asked = asked;
    const { method, url, headers, redirect } = asked;
    this.#head = jsonStringify({ method, url, headers, redirect }) ?? '';
    if (this.#head.length > askUnitsMax)
      throw new LimitError(`The URL and the header fields may have ${askUnitsMax} characters`);
    // Whoever asks awaits it, maybe later than it fails.
    this.#answered.promise.catch(never);
  }

  get answered(): Promise<AnswerHead> {
    return this.#answered.promise;
  }

  get bodyBytes(): number {
    return this.#asked.body?.byteLength ?? 0;
  }

  get owner(): number {
    return this.#call.id;
  }

  /** More of the answer; undefined at its end. One at a time. */
  read(): Promise<Uint8Array | undefined> {
    const first = this.#first;
    if (first !== undefined) {
      this.#first = undefined;
      return Promise.resolve(first);
    }
    if (this.#failure !== undefined) return Promise.reject(this.#failure.error);
    if (this.#isComplete) return Promise.resolve(undefined);
    this.#waiting ??= Promise.withResolvers<Uint8Array | undefined>();
    send(op.pull, this.id);
    return this.#waiting.promise;
  }

  /** Its place is free when the host has said so. */
  abort(reason: unknown): void {
    if (this.#failure !== undefined || this.#isComplete) return;
    if (mapDelete(this.#call.requests.line, this.id)) mapDelete(exchanges, this.id);
    else send(op.abort, this.id);
    this.fail(reason);
  }

  leave(): void {
    send(op.ask, this.id, this.#call.id, this.#head, this.#asked.body);
  }

  answer(head: AnswerHead, bytes: ArrayBuffer | undefined, isLast: boolean): void {
    if (bytes !== undefined) this.#first = new Uint8Array(bytes);
    this.#isComplete = isLast;
    if (isLast) this.#leavePlace();
    this.#answered.resolve(head);
  }

  part(bytes: ArrayBuffer | undefined, isLast: boolean): void {
    this.#isComplete = isLast;
    if (isLast) this.#leavePlace();
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (bytes !== undefined) {
      waiting?.resolve(new Uint8Array(bytes));
    } else if (isLast) waiting?.resolve(undefined);
    else if (waiting !== undefined) {
      this.#waiting = waiting;
      send(op.pull, this.id);
    }
  }

  fail(error: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = { error };
    this.#first = undefined;
    this.#answered.reject(error);
    this.#waiting?.reject(error);
    this.#waiting = undefined;
  }

  /** The host has ended it. */
  failed(failure: Failure): void {
    this.#leavePlace();
    this.fail(codedError(failure));
  }

  #leavePlace(): void {
    this.onOver?.();
    const { requests } = this.#call;
    mapDelete(exchanges, this.id);
    if (mapDelete(requests.open, this.id)) requests.bodyBytes -= this.bodyBytes;
    advance(this.#call);
  }
}

const exchanges = new Map<number, Exchange>();
let lastId = 0;

/** Those in line leave, in order, as far as there is room. */
function advance({ requests }: Call): void {
  const { requestsOpenMax, requestBodyBytes } = limits();
  while (requests.open.size < requestsOpenMax) {
    const next = requests.line.values().next().value as Exchange | undefined;
    if (next === undefined || requests.bodyBytes + next.bodyBytes > requestBodyBytes) return;
    mapDelete(requests.line, next.id);
    mapSet(requests.open, next.id, next);
    requests.bodyBytes += next.bodyBytes;
    next.leave();
  }
}

/** `call`: whoever began it, which may have waited for its body since. */
export function ask(asked: Asked, call = currentCall()): Exchange {
  if (call === undefined || !isUnderWay(call)) throw codedError({ code: 'ERR_ENDED', message: 'The run has ended' });
  if (call.id === 0) {
    const message = 'Requests can be made in run and in hooks, not while the component loads';
    throw codedError({ code: 'ERR_LOADING', message });
  }
  const exchange = new Exchange(++lastId, call, asked);
  const { requestBodyBytes } = limits();
  if (exchange.bodyBytes > requestBodyBytes)
    throw new LimitError(`The body has ${exchange.bodyBytes} bytes, ${requestBodyBytes} are allowed`);
  mapSet(exchanges, exchange.id, exchange);
  mapSet(call.requests.line, exchange.id, exchange);
  advance(call);
  return exchange;
}

/** What the host tells of a request. */
export function hear(id: number, tell: (exchange: Exchange) => void): void {
  const exchange = mapGet(exchanges, id);
  if (exchange === undefined) return;
  setCurrentInvocation(exchange.owner);
  tell(exchange);
}

export const hearAnswer = (id: number, head: string, bytes: ArrayBuffer | undefined, isLast: boolean): void =>
  hear(id, (exchange) => exchange.answer(jsonParse(head) as AnswerHead, bytes, isLast));

export const hearPart = (id: number, bytes: ArrayBuffer | undefined, isLast: boolean): void =>
  hear(id, (exchange) => exchange.part(bytes, isLast));

export const hearFailure = (id: number, failure: string): void =>
  hear(id, (exchange) => exchange.failed(jsonParse(failure) as Failure));

/** Of an invocation that has ended: the host has aborted them. */
export function forgetRequests({ requests }: Call): void {
  for (const id of requests.open.keys()) mapDelete(exchanges, id);
  for (const id of requests.line.keys()) mapDelete(exchanges, id);
  requests.open.clear();
  requests.line.clear();
}
