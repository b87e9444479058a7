// The invocations that are under way in one isolate: whose turn it was, what each has used of the processor, and which have settled.
import { processorMs } from '../processor-time.ts';
import type { Call } from './call.ts';

export class Calls {
  readonly #cpuNs: () => bigint;
  readonly #byId = new Map<number, Call>();
  /** In the order in which they did. */
  readonly #settled: Call[] = [];
  /** Up to here the processor time of the isolate is on somebody's account. */
  #chargedNs = 0n;

  /** `cpuNs`: of the isolate, in all. */
  constructor(cpuNs: () => bigint) {
    this.#cpuNs = cpuNs;
  }

  get size(): number {
    return this.#byId.size;
  }

  get(id: number): Call | undefined {
    return this.#byId.get(id);
  }

  add(call: Call): void {
    this.#byId.set(call.id, call);
  }

  remove({ id }: Call): void {
    this.#byId.delete(id);
  }

  [Symbol.iterator](): IterableIterator<Call> {
    return this.#byId.values();
  }

  get oldest(): Call | undefined {
    return this.#byId.values().next().value;
  }

  /** Who answers for what is done for `owner`: somebody who is still there. */
  answering(owner: number): Call | undefined {
    return this.#byId.get(owner) ?? this.oldest;
  }

  /** Its limits begin. */
  begin(call: Call): void {
    // What loading took is on nobody's account.
    if ([...this].every(({ beganAtMs }) => beganAtMs === undefined)) this.#chargedNs = this.#cpuNs();
    call.beganAtMs = processorMs();
  }

  settle(call: Call, error: string | null): void {
    if (call.done !== undefined) return;
    call.done = error;
    this.#settled.push(call);
  }

  takeSettled(): readonly Call[] {
    return this.#settled.splice(0).filter((call) => this.#byId.get(call.id) === call);
  }

  /** A turn for `owner` is over. */
  charge(owner: number): void {
    const now = this.#cpuNs();
    const call = this.answering(owner);
    if (call?.beganAtMs !== undefined && now > this.#chargedNs) call.enteredNs += now - this.#chargedNs;
    this.#chargedNs = now;
  }

  /** `turnOf`: whom the turn that is under way is for. At most what the whole process had since the call began. */
  usedMs(call: Call, turnOf: number | undefined): number {
    if (call.beganAtMs === undefined) return 0;
    const isInTurn = turnOf !== undefined && this.answering(turnOf) === call;
    const openNs = isInTurn ? this.#cpuNs() - this.#chargedNs : 0n;
    const enteredMs = Number(call.enteredNs + (openNs > 0n ? openNs : 0n)) / 1e6;
    return Math.max(0, Math.min(enteredMs, processorMs() - call.beganAtMs));
  }
}
