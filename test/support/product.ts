// Runs the product as a user does: in its own process group, with its own data directory, reached only by HTTP.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backupEntry, compileCache, engine, entry, rebuildEntry, serversFor, startSettings } from './engine.ts';
import { freePort } from './processes/free-port.ts';
import { endLater, removeLater } from './processes/left-behind.ts';
import { until } from './until.ts';

/** For a start on a busy machine; an idle one needs a second, with the distributed engine seven. */
const startDeadlineMs = 60_000;

export interface ProductOptions {
  /** Kept, if it is given; by default a new one that `remove` removes. */
  readonly dataDir?: string;
  readonly port?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** The script to run; by default the product's own. */
  readonly entry?: string;
  /** The descriptor for its output, which is kept in `output` by default. */
  readonly outputFd?: number;
  /** The time limit of a start. */
  readonly startTimeoutMs?: number;
}

/** A command's exit code and output. */
export interface CommandResult {
  readonly code: number;
  readonly output: string;
}

export class Product {
  readonly port: number;
  readonly dataDir: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #entry: string;
  readonly #outputTarget: number | 'pipe';
  readonly #startTimeoutMs: number;
  #process: ChildProcess | undefined;
  #closed: Promise<number | null> | undefined;
  #output = '';

  private constructor(port: number, dataDir: string, options: ProductOptions) {
    const { env = {}, entry: script = entry, outputFd, startTimeoutMs = startDeadlineMs } = options;
    this.port = port;
    this.dataDir = dataDir;
    this.#env = env;
    this.#entry = script;
    this.#outputTarget = outputFd ?? 'pipe';
    this.#startTimeoutMs = startTimeoutMs;
  }

  /** Starts it; resolves once it is healthy and its API key is on disk. */
  static async start(options: ProductOptions = {}): Promise<Product> {
    const product = await Product.create(options);
    await product.start();
    return product;
  }

  /** Does not start it. */
  static async create(options: ProductOptions): Promise<Product> {
    const dataDir = options.dataDir ?? removeLater(await mkdtemp(join(tmpdir(), 'wellspring-')));
    return new Product(options.port ?? (await freePort()), dataDir, options);
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The output so far. */
  get output(): string {
    return this.#output;
  }

  /** How it ended; undefined: it runs. */
  get exitReason(): string | undefined {
    const { exitCode = null, signalCode = null } = this.#process ?? {};
    return signalCode ?? (exitCode === null ? undefined : `code ${exitCode}`);
  }

  /** Process id, while it runs. */
  get pid(): number {
    const pid = this.#process?.pid;
    if (pid === undefined) throw new Error('the product is not running');
    return pid;
  }

  async apiKey(): Promise<string> {
    return (await readFile(join(this.dataDir, 'api-key'), 'utf8')).trim();
  }

  /** Starts it again on the same port and data, and waits until it is healthy. */
  async start(): Promise<void> {
    const child = this.spawn();
    await until(
      'the product to be healthy',
      async () => {
        if (child.exitCode !== null) {
          await this.waitForExit();
          throw new Error(`the product ended with ${child.exitCode}:\n${this.#output}`);
        }
        return fetch(`${this.baseUrl}/health`).then(
          (response) => response.ok,
          () => false,
        );
      },
      this.#startTimeoutMs,
    );
  }

  /** Starts it without waiting; its own process group, so that it can be killed whole. */
  spawn(): ChildProcess {
    const child = endLater(
      spawn(process.execPath, [...startSettings.flags, this.#entry], {
        detached: true,
        stdio: ['ignore', this.#outputTarget, this.#outputTarget],
        env: this.#environment(),
      }),
    );
    const collectOutput = (chunk: Buffer): void => {
      this.#output += chunk.toString();
    };
    child.stdout?.on('data', collectOutput);
    child.stderr?.on('data', collectOutput);
    this.#process = child;
    // `close`, because `exit` comes before all output is read.
    this.#closed = new Promise((resolve) => child.once('close', resolve));
    return child;
  }

  /** Waits until it ends by itself and all output is read; returns the exit code. */
  async waitForExit(): Promise<number | null> {
    return (await this.#closed) ?? null;
  }

  /** `kill -9` of the whole process group. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    process.kill(-child.pid, 'SIGKILL');
    await ended;
  }

  /** Sends Ctrl-C, or another signal; returns the exit code. */
  async stop(signal: NodeJS.Signals = 'SIGINT'): Promise<number | null> {
    const child = this.#process;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null)
      return child?.exitCode ?? null;
    const ended = once(child, 'exit');
    process.kill(-child.pid, signal);
    const [code] = (await ended) as [number | null];
    return code;
  }

  /** Rebuilds the views as an operator does, whether the product runs or not. */
  rebuild(): Promise<CommandResult> {
    return this.#run(rebuildEntry);
  }

  /** Backs up the log into `file` as an operator does, whether the product runs or not. */
  backUp(file: string): Promise<CommandResult> {
    return this.#run(backupEntry, file);
  }

  async #run(script: string, ...args: readonly string[]): Promise<CommandResult> {
    const child = spawn(process.execPath, [script, ...args], { env: this.#environment() });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    return { code, output };
  }

  /** The URL at which an operator requests a rebuild from a running product. */
  async rebuildUrl(): Promise<string> {
    const url =
      engine === 'embedded'
        ? this.baseUrl
        : (await readFile(join(this.dataDir, 'projection-url'), 'utf8')).trim().split('\n').at(-1);
    return `${url}/rebuild`;
  }

  #environment(): NodeJS.ProcessEnv {
    return {
      PATH: process.env['PATH'],
      HOST: '127.0.0.1',
      PORT: String(this.port),
      DATA_DIR: this.dataDir,
      EGRESS_ALLOW: '127.0.0.0/8',
      ...startSettings.env,
      ...compileCache,
      ...serversFor(this.dataDir),
      ...this.#env,
    };
  }

  /** Ends it if it runs, and removes its data. */
  async remove(): Promise<void> {
    await this.kill();
    await removeOwnTopics(serversFor(this.dataDir));
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

/** Does nothing without brokers; their client is loaded only if there are some. */
async function removeOwnTopics(servers: Readonly<Record<string, string>>): Promise<void> {
  const { KAFKA_BROKERS: brokers, KAFKA_TOPIC_PREFIX: prefix } = servers;
  if (brokers === undefined || prefix === undefined) return;
  const { removeTopics } = await import('../../libs/log/kafka/fixture/remove-topics.ts');
  await removeTopics(brokers.split(','), prefix);
}
