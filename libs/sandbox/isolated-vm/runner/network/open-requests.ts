// The HTTP requests that one instance has open: each gets its answer part by part, and ends with the run that made it.
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
  /** Asks a data store; both are JSON texts. */
  askStore(callId: number, text: string): Promise<string>;
  /** A turn of the guest for the call. */
  tell(callId: number, what: number, id: number, ...args: readonly ivmTypes.Transferable[]): void;
  tampered(): void;
}

/** What is used of an answer: data stores give one, too. */
type Given = Pick<Answer, 'head' | 'first' | 'failure' | 'next'>;

interface Open {
  readonly call: Call;
  readonly stop: AbortController;
  readonly bodyBytes: number;
  readonly heldBytes: number;
  /** Whether it is not answered yet: until then its connection holds the body, even if nobody waits for it any more. */
  isAsking: boolean;
  answer: Given | undefined;
  isPulled: boolean;
}

/** What an answer may hold beside its request's body: a buffer before its decoder, and one behind. */
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
    // It has ended, and the guest forgets what it had open.
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

  /** Those of the call that are not answered yet. */
  countOf(callId: number): number {
    let count = 0;
    for (const { call, isAsking } of this.#open.values()) if (call.id === callId && isAsking) count++;
    return count;
  }

  /** From now on the guest hears no more of the call's requests. */
  endOf(call: Call): void {
    for (const [id, open] of this.#open) if (open.call === call) this.#end(id, open);
  }

  clear(): void {
    for (const [id, open] of this.#open) this.#end(id, open);
  }

  /** The guest's own code waits until its requests are within these limits. */
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

  /** What ended runs have left behind counts as well, so that many short ones hold no more than a long one. */
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

  /** Its connection, or the attempt to make one, no longer holds the body. */
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

  /** Reports a failure once: the request is closed by it. */
  #fail(id: number, error: unknown): void {
    const open = this.#open.get(id);
    if (open === undefined) return;
    this.#close(id, open);
    this.#owner.tell(open.call.id, toGuest.failed, id, failureText(error));
  }

  /** What its connection still holds stays reserved, and counts for its source. */
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

/** Errors of ours and of the egress have a code and a sentence. */
function failureText(error: unknown): string {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  const isTold = typeof code === 'string' && typeof message === 'string';
  return JSON.stringify(isTold ? { code, message } : { code: 'ERR_REQUEST', message: 'The request failed' });
}
