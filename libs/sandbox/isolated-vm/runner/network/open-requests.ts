// Keeps the open HTTP requests of one instance: each receives its response part by part, and ends with its run.
import type { Answer, Part } from '../../../../egress/index.ts';
import { storesUrl, toGuest } from '../../wire.ts';
import type { Call } from '../call/call.ts';
import { ivm } from '../isolate/isolated-vm.ts';
import type { ivmTypes } from '../isolate/isolated-vm.ts';
import type { RequestHandler } from '../isolate/mailbox.ts';
import type { SandboxLimits } from '../../sandbox-limits.ts';
import { readRequest } from './read-request.ts';
import type { Network } from './network.ts';

export interface RequestsOwner {
  callOf(id: number): Call | undefined;
  /** Sends a request to a data store and returns the answer; both are JSON texts. */
  askStore(callId: number, text: string): Promise<string>;
  /** Sends a message to the guest, in a turn of the call. */
  sendToGuest(callId: number, what: number, id: number, ...args: readonly ivmTypes.Transferable[]): void;
  tampered(): void;
}

/** The part of a response that is used here; answers of data stores have it too. */
type ResponseParts = Pick<Answer, 'head' | 'firstPart' | 'failure' | 'next'>;

interface OpenRequest {
  readonly call: Call;
  readonly abortController: AbortController;
  readonly bodyBytes: number;
  readonly heldBytes: number;
  /** True until it is answered: so long its connection holds the body, even if the run has ended. */
  isUnanswered: boolean;
  answer: ResponseParts | undefined;
  isPulling: boolean;
}

/** What a response can hold besides its request's body: a buffer before its decoder, and one after it. */
const answerHeldBytes = 128 * 1024;

const emptyBuffer = new ArrayBuffer(0);
const storeResponse = {
  head: { status: 200, statusText: '', headers: [], url: storesUrl, redirected: false },
  failure: new Promise<never>(() => {}),
};

const limitError = (message: string): Error => Object.assign(new Error(message), { code: 'ERR_LIMIT' });
const abortError = Object.assign(new Error('The request was aborted'), { code: 'ABORT_ERR' });

export class OpenRequests implements RequestHandler {
  readonly #owner: RequestsOwner;
  readonly #sourceId: string;
  readonly #network: Network;
  readonly #limits: SandboxLimits['guest'];
  readonly #open = new Map<number, OpenRequest>();

  constructor(owner: RequestsOwner, sourceId: string, network: Network, limits: SandboxLimits['guest']) {
    this.#owner = owner;
    this.#sourceId = sourceId;
    this.#network = network;
    this.#limits = limits;
  }

  ask(id: number, callId: number, head: string, body: ArrayBuffer | undefined): void {
    const call = this.#owner.callOf(callId);
    // The call has ended, and the guest forgets its requests.
    if (call === undefined) return;
    const bodyBytes = body?.byteLength ?? 0;
    if (this.#open.has(id)) {
      this.#owner.tampered();
      return;
    }
    if (!this.#isWithinLimits(call, bodyBytes)) {
      this.#owner.tampered();
      const message = 'More requests are open, or more bytes in their bodies, than one run may have';
      this.#owner.sendToGuest(callId, toGuest.failed, id, failureText({ code: 'ERR_LIMIT', message }));
      return;
    }
    const heldBytes = bodyBytes + answerHeldBytes;
    const hasRoom = this.#hasRoom(bodyBytes) && this.#network.reserve(heldBytes);
    const state = { isUnanswered: hasRoom, answer: undefined, isPulling: false };
    const request: OpenRequest = {
      call,
      abortController: new AbortController(),
      bodyBytes,
      heldBytes: hasRoom ? heldBytes : 0,
      ...state,
    };
    this.#open.set(id, request);
    if (hasRoom) void this.#send(id, request, head, body);
    else this.#fail(id, { code: 'ERR_BUSY', message: 'Too many bytes of requests are under way; try again' });
  }

  pull(id: number): void {
    const request = this.#open.get(id);
    if (request === undefined) return;
    if (request.answer === undefined || request.isPulling) this.#owner.tampered();
    else void this.#pullPart(id, request, request.answer);
  }

  abort(id: number): void {
    this.#open.get(id)?.abortController.abort(abortError);
  }

  /** The number of the call's requests that are not answered yet. */
  countOf(callId: number): number {
    let count = 0;
    for (const { call, isUnanswered } of this.#open.values()) if (call.id === callId && isUnanswered) count++;
    return count;
  }

  /** Ends the call's requests; the guest receives no more messages about them. */
  endOf(call: Call): void {
    for (const [id, request] of this.#open) if (request.call === call) this.#end(id, request);
  }

  clear(): void {
    for (const [id, request] of this.#open) this.#end(id, request);
  }

  /** Whether one more request is within the call's limits, which the guest's own code respects. */
  #isWithinLimits(call: Call, bodyBytes: number): boolean {
    let count = 1;
    let bytes = bodyBytes;
    for (const request of this.#open.values()) {
      if (request.call !== call) continue;
      count++;
      bytes += request.bodyBytes;
    }
    return count <= this.#limits.requestsOpenMax && bytes <= this.#limits.requestBodyBytes;
  }

  /** Counts the abandoned requests of ended runs too, so that many short runs hold no more than a long one. */
  #hasRoom(bodyBytes: number): boolean {
    const abandoned = this.#network.abandonedOf(this.#sourceId);
    const { requestsOpenMax, requestBodyBytes } = this.#limits;
    return abandoned.count < requestsOpenMax && abandoned.bodyBytes + bodyBytes <= requestBodyBytes;
  }

  async #send(id: number, request: OpenRequest, head: string, body: ArrayBuffer | undefined): Promise<void> {
    try {
      const answer = await this.#answerOf(request, head, body);
      this.#releaseBody(id, request);
      this.#handleAnswer(id, request, answer);
    } catch (error) {
      this.#releaseBody(id, request);
      this.#fail(id, error);
    }
  }

  /** Call when the connection, or the attempt to make one, no longer holds the body. */
  #releaseBody(id: number, request: OpenRequest): void {
    if (!request.isUnanswered) return;
    request.isUnanswered = false;
    if (this.#open.get(id) === request) return;
    this.#network.settleAbandoned(this.#sourceId, request.bodyBytes);
    this.#network.release(request.heldBytes);
  }

  async #answerOf(
    { call, abortController, bodyBytes }: OpenRequest,
    head: string,
    body: ArrayBuffer | undefined,
  ): Promise<ResponseParts> {
    const outgoing = readRequest(head, body);
    if (outgoing === undefined) call.tampered = true;
    const refusal = call.requests.countBytes(bodyBytes);
    if (outgoing === undefined || refusal !== undefined) throw limitError(refusal ?? 'The request cannot be read');
    if (outgoing.url === storesUrl) return await this.#askStore(call, body);
    const requester = await this.#network.requester();
    const onHop = call.requests.add.bind(call.requests);
    const count = call.requests.countBytes.bind(call.requests);
    return await requester.send(outgoing, { signal: abortController.signal, onHop, count });
  }

  async #askStore(call: Call, body: ArrayBuffer | undefined): Promise<ResponseParts> {
    const bytes = Buffer.from(await this.#owner.askStore(call.id, Buffer.from(body ?? emptyBuffer).toString()));
    const refusal = call.requests.countBytes(bytes.length);
    if (refusal !== undefined) throw limitError(refusal);
    const first = { bytes, isLast: true };
    return { ...storeResponse, firstPart: first, next: () => Promise.resolve(first) };
  }

  #handleAnswer(id: number, request: OpenRequest, answer: ResponseParts): void {
    if (this.#open.get(id) !== request) return;
    request.answer = answer;
    const { isLast } = answer.firstPart;
    if (!isLast) void answer.failure.then((error) => this.#fail(id, error));
    this.#owner.sendToGuest(
      request.call.id,
      toGuest.answered,
      id,
      JSON.stringify(answer.head),
      bytesOf(answer.firstPart),
      isLast,
    );
    if (isLast) this.#close(id, request);
  }

  async #pullPart(id: number, request: OpenRequest, answer: ResponseParts): Promise<void> {
    request.isPulling = true;
    try {
      const part = await answer.next();
      request.isPulling = false;
      if (this.#open.get(id) !== request) return;
      this.#owner.sendToGuest(request.call.id, toGuest.part, id, bytesOf(part), part.isLast);
      if (part.isLast) this.#close(id, request);
    } catch (error) {
      this.#fail(id, error);
    }
  }

  /** Closes the request and reports the failure, once. */
  #fail(id: number, error: unknown): void {
    const request = this.#open.get(id);
    if (request === undefined) return;
    this.#close(id, request);
    this.#owner.sendToGuest(request.call.id, toGuest.failed, id, failureText(error));
  }

  /** Bytes that the connection still holds stay reserved, and count as the source's abandoned ones. */
  #close(id: number, { isUnanswered, bodyBytes, heldBytes }: OpenRequest): void {
    if (!this.#open.delete(id)) return;
    if (isUnanswered) this.#network.abandon(this.#sourceId, bodyBytes);
    else this.#network.release(heldBytes);
  }

  #end(id: number, request: OpenRequest): void {
    this.#close(id, request);
    request.abortController.abort(abortError);
  }
}

function bytesOf({ bytes }: Part): ivmTypes.Transferable {
  if (bytes.length === 0) return undefined as unknown as ivmTypes.Transferable;
  const buffer = new Uint8Array(bytes).buffer;
  return new ivm.ExternalCopy(buffer, { transferOut: true }).copyInto({ release: true, transferIn: true });
}

/** JSON of the code and message that errors of the service have; a general message for others. */
function failureText(error: unknown): string {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  const isServiceError = typeof code === 'string' && typeof message === 'string';
  return JSON.stringify(isServiceError ? { code, message } : { code: 'ERR_REQUEST', message: 'The request failed' });
}
