// A V8 isolate with the guest in it, entered only in turns, which have a time limit and whose failures are classified.
import { CryptoDoors } from '../crypto/doors.ts';
import type { CryptoWorkers } from '../crypto/workers.ts';
import { componentFile, runtimeFile } from '../guest-output/component-error.ts';
import { ivm } from './isolated-vm.ts';
import type { ivmTypes } from './isolated-vm.ts';
import { receive } from './mailbox.ts';
import type { MailboxOwner } from './mailbox.ts';
import { splitTexts } from './pieces.ts';
import { Seat } from './processors.ts';
import type { Processors } from './processors.ts';
import type { Snapshot } from './snapshot.ts';

/** The settings that all isolates of a runner share. */
export interface IsolateTemplate {
  readonly snapshot: Snapshot | undefined;
  readonly bundle: string;
  readonly memoryMb: number;
  /** Passed to the guest as JSON, together with the source's id. */
  readonly guestLimits: object;
  /** Shared by all isolates of the process. */
  readonly cryptoWorkers: CryptoWorkers;
  /** Absent: isolates do not wait for each other. */
  readonly processors?: Processors;
}

export type Dispatch = ivmTypes.Reference<(...args: ivmTypes.Transferable[]) => unknown>;

/** Evaluating the bundle takes 90 ms without a snapshot; only a faulty machine needs longer than this. */
const bootMs = 10_000;

export type TurnFailure = 'timed_out' | 'out_of_memory' | 'uncaught' | 'disposed';

export class GuestIsolate {
  readonly #isolate: ivmTypes.Isolate;
  readonly #crypto: CryptoDoors;
  readonly #seat: Seat | undefined;
  #dispatch: Dispatch | undefined;
  #context: ivmTypes.Context | undefined;
  #disposed = false;

  constructor(template: IsolateTemplate, onCatastrophe: () => void) {
    this.#crypto = new CryptoDoors(template.cryptoWorkers);
    this.#seat = template.processors && new Seat(template.processors);
    this.#isolate = new ivm.Isolate({
      memoryLimit: template.memoryMb,
      onCatastrophicError: onCatastrophe,
      ...(template.snapshot ? { snapshot: template.snapshot } : {}),
    });
  }

  /** Processor time of the isolate, and of the host's work for it. */
  get cpuNs(): bigint {
    return this.isGone ? 0n : this.#isolate.cpuTime + this.#crypto.spentNs;
  }

  /** The total wait for a processor and for cryptography. */
  get queuedMs(): number {
    return this.#crypto.queuedMs + (this.#seat?.queuedMs ?? 0);
  }

  /** Whether it was disposed, by this process or by V8 at the memory limit. */
  get isGone(): boolean {
    return this.#disposed || this.#isolate.isDisposed;
  }

  async boot(template: IsolateTemplate, sourceId: string, owner: MailboxOwner): Promise<void> {
    const context = await this.#isolate.createContext();
    this.#context = context;
    if (!template.snapshot) {
      const script = await this.#isolate.compileScript(template.bundle, { filename: runtimeFile });
      await script.run(context, { timeout: bootMs });
      script.release();
    }
    const send = new ivm.Callback((...args: unknown[]) => receive(owner, ...args), { ignored: true });
    const quick = new ivm.Callback((name: unknown, ...args: unknown[]) => this.#crypto.quick(name, ...args));
    const slow = new ivm.Reference(async (name: unknown, ...args: unknown[]) =>
      new ivm.ExternalCopy(await this.#crypto.slow(name, ...args)).copyInto({ release: true }),
    );
    const config = JSON.stringify({ sourceId, limits: template.guestLimits });
    this.#dispatch = (await context.evalClosure(
      'const boot = globalThis.__boot; delete globalThis.__boot; return boot($0, $1, $2, $3);',
      [send, quick, slow, config],
      { result: { reference: true }, timeout: bootMs },
    )) as unknown as Dispatch;
  }

  /** Compiles the component to a function that only `turn` can call. Rejects at a syntax error. */
  async compile(js: string): Promise<ivmTypes.Transferable> {
    // The wrapper's line is not counted, so that positions are those of the compiled text.
    const wrapped = `(function (require, module, exports, __filename, __dirname) {\n${js}\n})`;
    const script = await this.#isolate.compileScript(wrapped, { filename: componentFile, lineOffset: -1 });
    if (!this.#context) throw new Error('The isolate has not booted');
    const made = (await script.run(this.#context, { reference: true })) as unknown as ivmTypes.Reference<unknown>;
    script.release();
    return made.derefInto({ release: true });
  }

  /** Enters the guest; its microtasks are part of the turn. `failureOf` classifies a rejection. */
  async turn(timeoutMs: number, what: number, id: number, ...args: ivmTypes.Transferable[]): Promise<unknown> {
    const enter = async (): Promise<unknown> =>
      await this.#dispatch?.apply(undefined, [what, id, ...splitTexts(args)], { timeout: timeoutMs });
    return await (this.#seat?.run(enter) ?? enter());
  }

  failureOf(error: unknown): TurnFailure {
    if (this.#disposed) return 'disposed';
    if (this.#isolate.isDisposed) return 'out_of_memory';
    return error instanceof Error && error.message === 'Script execution timed out.' ? 'timed_out' : 'uncaught';
  }

  dispose(): void {
    this.#disposed = true;
    this.#seat?.leave();
    if (!this.#isolate.isDisposed) this.#isolate.dispose();
  }
}
