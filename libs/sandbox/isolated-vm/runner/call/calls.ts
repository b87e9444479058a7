// The invocations under way in one isolate: whose turn it was, each one's processor time, and which have settled.
import { processorMs } from '../processor-time.ts';
import type { Call } from './call.ts';

export class IsolateCalls {
  readonly #cpuNs: () => bigint;
  readonly #byId = new Map<number, Call>();
  /** In the order in which they settled. */
  readonly #settled: Call[] = [];
  /** Up to here the processor time of the isolate has been charged to invocations. */
  #chargedNs = 0n;

  /** `cpuNs`: all processor time of the isolate so far. */
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

  /** Who is charged for work done for `owner`: if that has ended, the oldest that is still under way. */
  answering(owner: number): Call | undefined {
    return this.#byId.get(owner) ?? this.oldest;
  }

  /** The call's limits begin. */
  begin(call: Call): void {
    // The time of loading is charged to nobody.
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

  /** Call when a turn for `owner` is over. */
  charge(owner: number): void {
    const now = this.#cpuNs();
    const call = this.answering(owner);
    if (call?.beganAtMs !== undefined && now > this.#chargedNs) call.enteredNs += now - this.#chargedNs;
    this.#chargedNs = now;
  }

  /** `turnOf`: the owner of the turn under way. At most what the whole process has used since the call began. */
  usedMs(call: Call, turnOf: number | undefined): number {
    if (call.beganAtMs === undefined) return 0;
    const isInTurn = turnOf !== undefined && this.answering(turnOf) === call;
    const openNs = isInTurn ? this.#cpuNs() - this.#chargedNs : 0n;
    const enteredMs = Number(call.enteredNs + (openNs > 0n ? openNs : 0n)) / 1e6;
    return Math.max(0, Math.min(enteredMs, processorMs() - call.beganAtMs));
  }
}
