// The sandbox port on isolated-vm: runs components in V8 isolates, in processes whose death harms no other process.
import { PortError } from '../../domain/port-error.ts';
import { ownAddressesProblem } from '../../egress/addresses/own-addresses.ts';
import type { Interfaces } from '../../egress/addresses/own-addresses.ts';
import type { Bundle } from '../../packages/packages.ts';
import { resolvesInTime } from '../../primitives/time-limit.ts';
import { Sandbox } from '../sandbox.ts';
import type { DescribeOptions, DescribeOutcome, Invocation, InvocationOutcome, Pace, Capacity } from '../sandbox.ts';
import { DescribePool } from './control/describe-pool.ts';
import { prepareGuest } from './control/guest-files.ts';
import { lostOutcome } from './control/lost-outcome.ts';
import { PacedPools } from './control/paced-pools.ts';
import type { Runner } from './control/runner.ts';
import { Runners } from './control/runners.ts';
import { Quarantine } from './control/quarantine/quarantine.ts';
import { defaultLimits } from './sandbox-limits.ts';
import type { SandboxLimits } from './sandbox-limits.ts';
import type { EgressSettings } from './runner-protocol.ts';

export interface IsolatedVmSandboxOptions {
  /** The number of processes that share the sources; one more is kept warm. */
  readonly runners?: number;
  /** The folder for the guest's snapshot, which is made once for each version of the product and of V8. */
  readonly cacheDir: string;
  readonly limits?: Partial<SandboxLimits>;
  /** Where requests of components may go; absent: only to public addresses. */
  readonly egress?: EgressSettings;
  /** This machine's network interfaces, for tests. */
  readonly interfaces?: Interfaces;
  /**
   * Called with a sentence: a process died, components start slowly because no snapshot could be made, or, once, at the
   * start, every request of components will fail.
   */
  readonly onTrouble?: (what: string) => void;
}

const defaultRunners = 2;
/** How long `close` waits for invocations under way. */
const drainMs = 1_000;

interface Parts {
  readonly runners: Runners;
  readonly pools: PacedPools;
  readonly describePool: DescribePool;
  readonly quarantine: Quarantine<Runner>;
}

export class IsolatedVmSandbox extends Sandbox {
  readonly #parts: Parts;
  readonly #pending = new Set<Promise<unknown>>();
  /** Invocations that wait until no invocation of their source is under way in a shared process. */
  readonly #waitingForIdle = new Set<Invocation>();
  #closed = false;

  private constructor(parts: Parts) {
    super();
    this.#parts = parts;
  }

  static async start(options: IsolatedVmSandboxOptions): Promise<IsolatedVmSandbox> {
    const { cacheDir, onTrouble = () => {} } = options;
    const guest = await prepareGuest(cacheDir);
    if (guest.snapshotPath === undefined) onTrouble(`No snapshot could be made in ${cacheDir}`);
    const egressTrouble = options.egress?.proxy === undefined ? ownAddressesProblem(options.interfaces) : undefined;
    if (egressTrouble !== undefined) onTrouble(`Every request of components fails. ${egressTrouble}`);
    const limits = { ...defaultLimits, ...options.limits };
    const runners = new Runners({ ...guest, limits, egress: options.egress ?? { allow: [] } }, onTrouble);
    const { spawn, dismiss } = runners;
    const quarantine = new Quarantine<Runner>({ spawn, dismiss });
    const pools = new PacedPools({
      size: options.runners ?? defaultRunners,
      rssSoftBytes: limits.rssSoftBytes,
      slowIdleMs: limits.slowIdleMs,
      dismiss,
      spawn,
      onDeath: ({ sources, culprit }) => quarantine.suspect(culprit === undefined ? sources : [...sources, culprit]),
    });
    return new IsolatedVmSandbox({ runners, pools, describePool: new DescribePool(runners, limits), quarantine });
  }

  /** Ids of the runner processes, for measuring or killing them. */
  get processIds(): readonly number[] {
    return this.#parts.runners.processIds;
  }

  override describe(bundle: Bundle, options: DescribeOptions = {}): Promise<DescribeOutcome> {
    if (this.#closed) return Promise.reject(new PortError('closed', 'The sandbox has been closed'));
    return this.#track(this.#describe(bundle, options));
  }

  override invoke(invocation: Invocation): Promise<InvocationOutcome> {
    if (this.#closed) return Promise.resolve(lostOutcome(0));
    const { pools, quarantine } = this.#parts;
    if (!quarantine.isQuarantined(invocation.sourceId)) return this.#track(pools.invoke(invocation));
    if (invocation.follows) return Promise.resolve(lostOutcome(0));
    return this.#track(this.#invokeQuarantined(invocation));
  }

  override get trouble(): string | undefined {
    return this.#parts.runners.trouble;
  }

  override capacity(pace: Pace): Capacity {
    return this.#parts.pools.capacity(pace);
  }

  override async unload(sourceId: string): Promise<void> {
    for (const invocation of this.#waitingForIdle)
      if (invocation.sourceId === sourceId) this.#waitingForIdle.delete(invocation);
    this.#parts.quarantine.unload(sourceId);
    this.#parts.runners.unload(sourceId);
  }

  override async close(): Promise<void> {
    this.#closed = true;
    await resolvesInTime(Promise.allSettled(this.#pending), drainMs);
    const { runners, pools, describePool, quarantine } = this.#parts;
    pools.close();
    runners.close();
    for (const part of [quarantine, describePool]) part.close();
  }

  /**
   * Invokes in a process of the source's own. First waits for invocations in shared processes, which still write, and
   * unloads the source there, where it would lack the new writes.
   */
  async #invokeQuarantined(invocation: Invocation): Promise<InvocationOutcome> {
    const { pools, quarantine } = this.#parts;
    const idle = pools.whenIdle(invocation.sourceId);
    if (idle === undefined) {
      pools.drop(invocation.sourceId);
      return quarantine.invoke(invocation);
    }
    this.#waitingForIdle.add(invocation);
    await idle;
    return this.#waitingForIdle.delete(invocation) ? this.invoke(invocation) : lostOutcome(0);
  }

  async #describe(bundle: Bundle, options: DescribeOptions): Promise<DescribeOutcome> {
    const described = await this.#parts.describePool.describe(bundle, options);
    if (!described) return { kind: 'invalid', error: deadlyError, console: [] };
    const { result, console } = described;
    return 'manifest' in result ? { kind: 'described', ...result, console } : { kind: 'invalid', ...result, console };
  }

  #track<T>(work: Promise<T>): Promise<T> {
    this.#pending.add(work);
    void work.finally(() => this.#pending.delete(work)).catch(() => {});
    return work;
  }
}

const deadlyError = {
  name: 'LimitError',
  message: 'The component ended the process that loaded it, twice: it uses too much memory, or a built-in without end',
};
