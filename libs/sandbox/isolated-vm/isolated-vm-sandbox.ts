// The sandbox on isolated-vm: components run in V8 isolates inside of processes that may die without harm.
import { PortError } from '../../domain/port-error.ts';
import { Sandbox } from '../sandbox.ts';
import type { DescribeOutcome, Invocation, InvocationOutcome } from '../sandbox.ts';
import { Compiler } from './compile/compile.ts';
import { prepareGuest } from './control/guest-files.ts';
import { lostOutcome } from './control/outcome.ts';
import { Quarantine } from './control/quarantine.ts';
import { RunnerPool } from './control/runner-pool.ts';
import type { Described, Runner } from './control/runner.ts';
import type { Code } from './protocol.ts';
import { defaultLimits } from './limits.ts';
import type { SandboxLimits } from './limits.ts';

export interface IsolatedVmSandboxOptions {
  /** Processes that share the sources between them; one more is kept warm. */
  readonly runners?: number;
  /** For the guest's snapshot, which is made once for each version of the product and of V8. */
  readonly cacheDir: string;
  readonly limits?: Partial<SandboxLimits>;
  /** Told in a sentence: a process died, or components start slowly because no snapshot could be made. */
  readonly onTrouble?: (what: string) => void;
}

const defaultRunners = 2;
/** How long `close` waits for what is under way. */
const drainMs = 1_000;

export class IsolatedVmSandbox extends Sandbox {
  readonly #compiler: Compiler;
  readonly #pool: RunnerPool;
  readonly #quarantine: Quarantine;
  readonly #underWay = new Set<Promise<unknown>>();
  /** Invocations of suspects that wait until they are alone. */
  readonly #entering = new Set<Invocation>();
  #closed = false;

  private constructor(compiler: Compiler, pool: RunnerPool, quarantine: Quarantine) {
    super();
    this.#compiler = compiler;
    this.#pool = pool;
    this.#quarantine = quarantine;
  }

  static async start(options: IsolatedVmSandboxOptions): Promise<IsolatedVmSandbox> {
    const compiler = new Compiler();
    const quarantine = new Quarantine();
    const guest = await prepareGuest(options.cacheDir);
    if (guest.snapshotPath === undefined) options.onTrouble?.(`No snapshot could be made in ${options.cacheDir}`);
    const config = { ...guest, limits: { ...defaultLimits, ...options.limits } };
    const onDeath = (reason: string, sources: ReadonlySet<string>): void => {
      quarantine.suspect(sources);
      options.onTrouble?.(`A runner process died under ${[...sources].join(', ') || 'no source'}: ${reason}`);
    };
    const pool = new RunnerPool({ size: options.runners ?? defaultRunners, config, compiler, onDeath });
    return new IsolatedVmSandbox(compiler, pool, quarantine);
  }

  /** The runner processes, to measure or to kill. */
  get processIds(): readonly number[] {
    return this.#pool.all.flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
  }

  override async describe(code: string): Promise<DescribeOutcome> {
    if (this.#closed) throw new PortError('closed', 'The sandbox has been closed');
    const compilation = await this.#compiler.compile(code);
    if (compilation.kind === 'refused') return { kind: 'invalid', error: compilation.error, console: [] };
    const { compiled } = compilation;
    // A second process, because the first may have died for another reason.
    const described = (await this.#describe(compiled)) ?? (await this.#describe(compiled));
    if (!described) return { kind: 'invalid', error: deadlyError, console: [] };
    const { result, console } = described;
    return 'manifest' in result ? { kind: 'described', ...result, console } : { kind: 'invalid', ...result, console };
  }

  override invoke(invocation: Invocation): Promise<InvocationOutcome> {
    if (this.#closed) return Promise.resolve(lostOutcome(0));
    const { sourceId } = invocation;
    if (this.#quarantine.holds(sourceId)) return this.#track(this.#invokeAlone(invocation));
    return this.#track(this.#pool.runnerOf(sourceId).invoke(invocation));
  }

  override async unload(sourceId: string): Promise<void> {
    for (const invocation of this.#entering) if (invocation.sourceId === sourceId) this.#entering.delete(invocation);
    for (const runner of this.#pool.all) runner.unload(sourceId);
  }

  override async close(): Promise<void> {
    this.#closed = true;
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise((resolve) => (timer = setTimeout(resolve, drainMs)));
    await Promise.race([Promise.allSettled(this.#underWay), limit]);
    clearTimeout(timer);
    this.#pool.close();
  }

  async #describe(code: Code): Promise<Described | undefined> {
    const { spare } = this.#pool;
    if (spare.isDead) throw new PortError('unavailable', 'No process can be had to load the component in; try again');
    return await this.#track(spare.describe(code));
  }

  /** What is warm there goes afterwards: the db that it holds will be out of date. */
  async #invokeAlone(invocation: Invocation): Promise<InvocationOutcome> {
    const { sourceId } = invocation;
    const usual = this.#pool.runnerOf(sourceId);
    this.#entering.add(invocation);
    const alone = await this.#quarantine.enter(sourceId);
    const unloaded = !this.#entering.delete(invocation);
    if (!alone) return unloaded ? lostOutcome(0) : await usual.invoke(invocation);
    const runner: Runner = this.#pool.spare;
    const outcome = unloaded ? lostOutcome(0) : await runner.invoke(invocation);
    if (this.#quarantine.leave(sourceId, outcome.end !== 'lost')) runner.unload(sourceId);
    return outcome;
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
