// The sandbox on isolated-vm: components run in V8 isolates inside of processes that may die without harm.
import { PortError } from '../../domain/port-error.ts';
import { inTime } from '../../primitives/time-limit.ts';
import { Sandbox } from '../sandbox.ts';
import type { DescribeOutcome, Invocation, InvocationOutcome, Pace, Room } from '../sandbox.ts';
import { Compiler } from './compile/compile.ts';
import { Describers } from './control/describers.ts';
import { prepareGuest } from './control/guest-files.ts';
import { lostOutcome } from './control/outcome.ts';
import { PacedPools } from './control/paced-pools.ts';
import type { Runner } from './control/runner.ts';
import { Runners } from './control/runners.ts';
import { Quarantine } from './control/quarantine/quarantine.ts';
import { defaultLimits } from './sandbox-limits.ts';
import type { SandboxLimits } from './sandbox-limits.ts';
import type { EgressSettings } from './protocol.ts';

export interface IsolatedVmSandboxOptions {
  /** Processes that share the sources between them; one more is kept warm. */
  readonly runners?: number;
  /** For the guest's snapshot, made once for each version of the product and of V8, and for compiled components. */
  readonly cacheDir: string;
  readonly limits?: Partial<SandboxLimits>;
  /** Where requests of components may go; public addresses alone when it is absent. */
  readonly egress?: EgressSettings;
  /** Called with a sentence: a process died, or components start slowly because no snapshot could be made. */
  readonly onTrouble?: (what: string) => void;
}

const defaultRunners = 2;
/** How long `close` waits for what is under way. */
const drainMs = 1_000;

interface Parts {
  readonly compiler: Compiler;
  readonly runners: Runners;
  readonly pools: PacedPools;
  readonly describers: Describers;
  readonly quarantine: Quarantine<Runner>;
}

export class IsolatedVmSandbox extends Sandbox {
  readonly #parts: Parts;
  readonly #underWay = new Set<Promise<unknown>>();
  #closed = false;

  private constructor(parts: Parts) {
    super();
    this.#parts = parts;
  }

  static async start(options: IsolatedVmSandboxOptions): Promise<IsolatedVmSandbox> {
    const { cacheDir, onTrouble = () => {} } = options;
    const guest = await prepareGuest(cacheDir);
    if (guest.snapshotPath === undefined) onTrouble(`No snapshot could be made in ${cacheDir}`);
    const limits = { ...defaultLimits, ...options.limits };
    const compiler = new Compiler({ cacheDir, onTrouble });
    const runners = new Runners({ ...guest, limits, egress: options.egress ?? { allow: [] } }, compiler, onTrouble);
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
    return new IsolatedVmSandbox({ compiler, runners, pools, describers: new Describers(runners, limits), quarantine });
  }

  /** The runner processes, to measure or to kill. */
  get processIds(): readonly number[] {
    return this.#parts.runners.processIds;
  }

  /** The compilers: each leads a process group, with esbuild in it. */
  get compilerIds(): readonly number[] {
    return this.#parts.compiler.processIds;
  }

  override describe(code: string, workspace = ''): Promise<DescribeOutcome> {
    if (this.#closed) return Promise.reject(new PortError('closed', 'The sandbox has been closed'));
    return this.#track(this.#describe(code, workspace));
  }

  override invoke(invocation: Invocation): Promise<InvocationOutcome> {
    if (this.#closed) return Promise.resolve(lostOutcome(0));
    const { pools, quarantine } = this.#parts;
    if (!quarantine.holds(invocation.sourceId)) return this.#track(pools.invoke(invocation));
    if (invocation.follows) return Promise.resolve(lostOutcome(0));
    return this.#track(quarantine.invoke(invocation));
  }

  override room(pace: Pace): Room {
    return this.#parts.pools.room(pace);
  }

  override async unload(sourceId: string): Promise<void> {
    this.#parts.quarantine.unload(sourceId);
    this.#parts.runners.unload(sourceId);
  }

  override async close(): Promise<void> {
    this.#closed = true;
    await inTime(Promise.allSettled(this.#underWay), drainMs);
    const { compiler, runners, pools, describers, quarantine } = this.#parts;
    pools.close();
    runners.close();
    for (const part of [quarantine, describers, compiler]) part.close();
  }

  async #describe(code: string, workspace: string): Promise<DescribeOutcome> {
    const { compiler, describers } = this.#parts;
    describers.prepare();
    const compilation = await compiler.compile(code, workspace);
    if (this.#closed) throw new PortError('closed', 'The sandbox has been closed');
    if (compilation.kind !== 'compiled') return { kind: 'invalid', error: compilation.error, console: [] };
    const described = await describers.describe(compilation.compiled, workspace);
    if (!described) return { kind: 'invalid', error: deadlyError, console: [] };
    const { result, console } = described;
    return 'manifest' in result ? { kind: 'described', ...result, console } : { kind: 'invalid', ...result, console };
  }

  #track<T>(work: Promise<T>): Promise<T> {
    this.#underWay.add(work);
    void work.finally(() => this.#underWay.delete(work)).catch(() => {});
    return work;
  }
}

const deadlyError = {
  name: 'LimitError',
  message: 'The component ended the process that loaded it, twice: it uses too much memory, or a built-in without end',
};
