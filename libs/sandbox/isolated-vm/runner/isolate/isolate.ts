// A V8 isolate with the guest in it, entered only in turns, which have a time limit and whose failures are classified.
import { CryptoBridge } from '../crypto/crypto-bridge.ts';
import type { CryptoWorkers } from '../crypto/workers.ts';
import { componentFile, runtimeFile } from '../guest-output/component-error.ts';
import { ivm } from './isolated-vm.ts';
import type { ivmTypes } from './isolated-vm.ts';
import { receive } from './mailbox.ts';
import type { MailboxOwner } from './mailbox.ts';
import { splitTexts } from './pieces.ts';
import { TurnQueue } from './processors.ts';
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
  readonly #crypto: CryptoBridge;
  readonly #turnQueue: TurnQueue | undefined;
  #dispatch: Dispatch | undefined;
  #context: ivmTypes.Context | undefined;
  #disposed = false;

  constructor(template: IsolateTemplate, onCatastrophe: () => void) {
    this.#crypto = new CryptoBridge(template.cryptoWorkers);
    this.#turnQueue = template.processors && new TurnQueue(template.processors);
    this.#isolate = new ivm.Isolate({
      memoryLimit: template.memoryMb,
      onCatastrophicError: onCatastrophe,
      ...(template.snapshot ? { snapshot: template.snapshot } : {}),
    });
  }

  /** Processor time of the isolate, and of the host's work for it. */
  get cpuNs(): bigint {
    return this.isDisposed ? 0n : this.#isolate.cpuTime + this.#crypto.spentNs;
  }

  /** The total wait for a processor and for cryptography. */
  get queuedMs(): number {
    return this.#crypto.queuedMs + (this.#turnQueue?.queuedMs ?? 0);
  }

  /** Whether it was disposed, by this process or by V8 at the memory limit. */
  get isDisposed(): boolean {
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
    const quick = new ivm.Callback((name: unknown, ...args: unknown[]) => this.#crypto.runQuick(name, ...args));
    const slow = new ivm.Reference(async (name: unknown, ...args: unknown[]) =>
      new ivm.ExternalCopy(await this.#crypto.runSlow(name, ...args)).copyInto({ release: true }),
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
    const moduleFunction = (await script.run(this.#context, {
      reference: true,
    })) as unknown as ivmTypes.Reference<unknown>;
    script.release();
    return moduleFunction.derefInto({ release: true });
  }

  /** Enters the guest; its microtasks are part of the turn. `failureOf` classifies a rejection. */
  async turn(timeoutMs: number, message: number, id: number, ...args: ivmTypes.Transferable[]): Promise<unknown> {
    const enter = async (): Promise<unknown> =>
      await this.#dispatch?.apply(undefined, [message, id, ...splitTexts(args)], { timeout: timeoutMs });
    return await (this.#turnQueue?.run(enter) ?? enter());
  }

  failureOf(error: unknown): TurnFailure {
    if (this.#disposed) return 'disposed';
    if (this.#isolate.isDisposed) return 'out_of_memory';
    return error instanceof Error && error.message === 'Script execution timed out.' ? 'timed_out' : 'uncaught';
  }

  dispose(): void {
    this.#disposed = true;
    this.#turnQueue?.close();
    if (!this.#isolate.isDisposed) this.#isolate.dispose();
  }
}
