// Keeps the open HTTP requests of one instance: each receives its response part by part, and ends with its run.
import type { Answer, Part } from '../../../../egress/index.ts';
import { storesUrl, toGuest } from '../../wire.ts';
import type { Call } from '../call/call.ts';
import { ivm } from '../isolate/isolated-vm.ts';
import type { ivmTypes } from '../isolate/isolated-vm.ts';
import type { RequestDoor } from '../isolate/mailbox.ts';
import type { SandboxLimits } from '../../sandbox-limits.ts';
import { readAsk } from './ask.ts';
import type { Network } from './network.ts';

export interface RequestsOwner {
  callOf(id: number): Call | undefined;
  /** Sends a request to a data store and returns the answer; both are JSON texts. */
  askStore(callId: number, text: string): Promise<string>;
  /** Sends a message to the guest, in a turn of the call. */
  tell(callId: number, what: number, id: number, ...args: readonly ivmTypes.Transferable[]): void;
  tampered(): void;
}

/** The part of a response that is used here; answers of data stores have it too. */
type Given = Pick<Answer, 'head' | 'first' | 'failure' | 'next'>;

interface Open {
  readonly call: Call;
  readonly stop: AbortController;
  readonly bodyBytes: number;
  readonly heldBytes: number;
  /** True until it is answered: so long its connection holds the body, even if the run has ended. */
  isAsking: boolean;
  answer: Given | undefined;
  isPulled: boolean;
}

/** What a response can hold besides its request's body: a buffer before its decoder, and one after it. */
const answerHeldBytes = 128 * 1024;

const nothing = new ArrayBuffer(0);
const ofStore = {
  head: { status: 200, statusText: '', headers: [], url: storesUrl, redirected: false },
  failure: new Promise<never>(() => {}),
};

const limit = (message: string): Error => Object.assign(new Error(message), { code: 'ERR_LIMIT' });
const aborted = Object.assign(new Error('The request was aborted'), { code: 'ABORT_ERR' });

export class OpenRequests implements RequestDoor {
  readonly #owner: RequestsOwner;
  readonly #sourceId: string;
  readonly #network: Network;
  readonly #limits: SandboxLimits['guest'];
  readonly #open = new Map<number, Open>();

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
    if (!this.#isWithin(call, bodyBytes)) {
      this.#owner.tampered();
      const message = 'More requests are open, or more bytes in their bodies, than one run may have';
      this.#owner.tell(callId, toGuest.failed, id, failureText({ code: 'ERR_LIMIT', message }));
      return;
    }
    const heldBytes = bodyBytes + answerHeldBytes;
    const hasRoom = this.#hasRoom(bodyBytes) && this.#network.hold(heldBytes);
    const state = { isAsking: hasRoom, answer: undefined, isPulled: false };
    const open: Open = { call, stop: new AbortController(), bodyBytes, heldBytes: hasRoom ? heldBytes : 0, ...state };
    this.#open.set(id, open);
    if (hasRoom) void this.#ask(id, open, head, body);
    else this.#fail(id, { code: 'ERR_BUSY', message: 'Too many bytes of requests are under way; try again' });
  }

  pull(id: number): void {
    const open = this.#open.get(id);
    if (open === undefined) return;
    if (open.answer === undefined || open.isPulled) this.#owner.tampered();
    else void this.#pull(id, open, open.answer);
  }

  abort(id: number): void {
    this.#open.get(id)?.stop.abort(aborted);
  }

  /** The number of the call's requests that are not answered yet. */
  countOf(callId: number): number {
    let count = 0;
    for (const { call, isAsking } of this.#open.values()) if (call.id === callId && isAsking) count++;
    return count;
  }

  /** Ends the call's requests; the guest receives no more messages about them. */
  endOf(call: Call): void {
    for (const [id, open] of this.#open) if (open.call === call) this.#end(id, open);
  }

  clear(): void {
    for (const [id, open] of this.#open) this.#end(id, open);
  }

  /** Whether one more request is within the call's limits, which the guest's own code respects. */
  #isWithin(call: Call, bodyBytes: number): boolean {
    let count = 1;
    let bytes = bodyBytes;
    for (const open of this.#open.values()) {
      if (open.call !== call) continue;
      count++;
      bytes += open.bodyBytes;
    }
    return count <= this.#limits.requestsOpenMax && bytes <= this.#limits.requestBodyBytes;
  }

  /** Counts the abandoned requests of ended runs too, so that many short runs hold no more than a long one. */
  #hasRoom(bodyBytes: number): boolean {
    const abandoned = this.#network.abandonedOf(this.#sourceId);
    const { requestsOpenMax, requestBodyBytes } = this.#limits;
    return abandoned.count < requestsOpenMax && abandoned.bodyBytes + bodyBytes <= requestBodyBytes;
  }

  async #ask(id: number, open: Open, head: string, body: ArrayBuffer | undefined): Promise<void> {
    try {
      const answer = await this.#answerOf(open, head, body);
      this.#asked(id, open);
      this.#answered(id, open, answer);
    } catch (error) {
      this.#asked(id, open);
      this.#fail(id, error);
    }
  }

  /** Call when the connection, or the attempt to make one, no longer holds the body. */
  #asked(id: number, open: Open): void {
    if (!open.isAsking) return;
    open.isAsking = false;
    if (this.#open.get(id) === open) return;
    this.#network.forget(this.#sourceId, open.bodyBytes);
    this.#network.release(open.heldBytes);
  }

  async #answerOf({ call, stop, bodyBytes }: Open, head: string, body: ArrayBuffer | undefined): Promise<Given> {
    const outgoing = readAsk(head, body);
    if (outgoing === undefined) call.tampered = true;
    const refusal = call.requests.transfer(bodyBytes);
    if (outgoing === undefined || refusal !== undefined) throw limit(refusal ?? 'The request cannot be read');
    if (outgoing.url === storesUrl) return await this.#askStore(call, body);
    const requester = await this.#network.requester();
    const onHop = call.requests.add.bind(call.requests);
    const count = call.requests.transfer.bind(call.requests);
    return await requester.ask(outgoing, { signal: stop.signal, onHop, count });
  }

  async #askStore(call: Call, body: ArrayBuffer | undefined): Promise<Given> {
    const bytes = Buffer.from(await this.#owner.askStore(call.id, Buffer.from(body ?? nothing).toString()));
    const refusal = call.requests.transfer(bytes.length);
    if (refusal !== undefined) throw limit(refusal);
    const first = { bytes, isLast: true };
    return { ...ofStore, first, next: () => Promise.resolve(first) };
  }

  #answered(id: number, open: Open, answer: Given): void {
    if (this.#open.get(id) !== open) return;
    open.answer = answer;
    const { isLast } = answer.first;
    if (!isLast) void answer.failure.then((error) => this.#fail(id, error));
    this.#owner.tell(open.call.id, toGuest.answered, id, JSON.stringify(answer.head), bytesOf(answer.first), isLast);
    if (isLast) this.#close(id, open);
  }

  async #pull(id: number, open: Open, answer: Given): Promise<void> {
    open.isPulled = true;
    try {
      const part = await answer.next();
      open.isPulled = false;
      if (this.#open.get(id) !== open) return;
      this.#owner.tell(open.call.id, toGuest.part, id, bytesOf(part), part.isLast);
      if (part.isLast) this.#close(id, open);
    } catch (error) {
      this.#fail(id, error);
    }
  }

  /** Closes the request and reports the failure, once. */
  #fail(id: number, error: unknown): void {
    const open = this.#open.get(id);
    if (open === undefined) return;
    this.#close(id, open);
    this.#owner.tell(open.call.id, toGuest.failed, id, failureText(error));
  }

  /** Bytes that the connection still holds stay reserved, and count as the source's abandoned ones. */
  #close(id: number, { isAsking, bodyBytes, heldBytes }: Open): void {
    if (!this.#open.delete(id)) return;
    if (isAsking) this.#network.abandon(this.#sourceId, bodyBytes);
    else this.#network.release(heldBytes);
  }

  #end(id: number, open: Open): void {
    this.#close(id, open);
    open.stop.abort(aborted);
  }
}

function bytesOf({ bytes }: Part): ivmTypes.Transferable {
  if (bytes.length === 0) return undefined as unknown as ivmTypes.Transferable;
  const own = new Uint8Array(bytes).buffer;
  return new ivm.ExternalCopy(own, { transferOut: true }).copyInto({ release: true, transferIn: true });
}

/** JSON of the code and message that errors of the service have; a general message for others. */
function failureText(error: unknown): string {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  const isTold = typeof code === 'string' && typeof message === 'string';
  return JSON.stringify(isTold ? { code, message } : { code: 'ERR_REQUEST', message: 'The request failed' });
}
