// Keeps the invocations under way in one isolate, charges processor time to them, and collects those that have settled.
import { processorMs } from '../processor-time.ts';
import type { Call } from './call.ts';

export class IsolateCalls {
  readonly #cpuNs: () => bigint;
  readonly #byId = new Map<number, Call>();
  /** In the order in which they settled. */
  readonly #settled: Call[] = [];
  /** The isolate's processor time up to which it has been charged. */
  #chargedNs = 0n;

  /** `cpuNs`: the isolate's total processor time. */
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

  /** The call that is charged for work of `owner`: `owner` itself or, if it has ended, the oldest under way. */
  chargedCall(owner: number): Call | undefined {
    return this.#byId.get(owner) ?? this.oldest;
  }

  /** Starts the call's processor time. */
  begin(call: Call): void {
    // The time of loading is charged to no call.
    if ([...this].every(({ startCpuMs: beganAtMs }) => beganAtMs === undefined)) this.#chargedNs = this.#cpuNs();
    call.startCpuMs = processorMs();
  }

  settle(call: Call, error: string | null): void {
    if (call.done !== undefined) return;
    call.done = error;
    this.#settled.push(call);
  }

  takeSettled(): readonly Call[] {
    return this.#settled.splice(0).filter((call) => this.#byId.get(call.id) === call);
  }

  /** Charges the time of a turn; call at its end. */
  charge(owner: number): void {
    const now = this.#cpuNs();
    const call = this.chargedCall(owner);
    if (call?.startCpuMs !== undefined && now > this.#chargedNs) call.chargedNs += now - this.#chargedNs;
    this.#chargedNs = now;
  }

  /** The call's processor time, at most the process's since the call began. `turnOwner`: of the current turn. */
  usedMs(call: Call, turnOwner: number | undefined): number {
    if (call.startCpuMs === undefined) return 0;
    const isInTurn = turnOwner !== undefined && this.chargedCall(turnOwner) === call;
    const currentTurnNs = isInTurn ? this.#cpuNs() - this.#chargedNs : 0n;
    const chargedMs = Number(call.chargedNs + (currentTurnNs > 0n ? currentTurnNs : 0n)) / 1e6;
    return Math.max(0, Math.min(chargedMs, processorMs() - call.startCpuMs));
  }
}
