// One process of one app: starts it until it is ready, kills it as a failing machine would, and keeps its output.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { WriteStream } from 'node:fs';
import { extname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { endLater } from '../processes/left-behind.ts';
import { until } from '../until.ts';

export type AppName = 'gateway' | 'lifecycle' | 'scheduler' | 'runtime' | 'delivery' | 'projection' | 'audit';

/** The path of the built product, from a test's source or from a built bench. */
const distPath = extname(import.meta.url) === '.ts' ? '../../../dist' : '../../..';
/** For six apps that start at once on a busy machine, and wait for their servers. */
const startDeadlineMs = 60_000;
/** A runner notices at once that its parent is gone, unless a component keeps it busy. */
const orphansDeadlineMs = 5_000;

/** Warnings with a kind. The product's own have none: `(node:1) Warning: …`. */
const libraryWarning = /^\(node:\d+\) (?:\[\w+\] )?\w+Warning: /;

export class AppProcess {
  readonly app: AppName;
  readonly #env: Readonly<Record<string, string>>;
  readonly #output: WriteStream;
  #child: ChildProcess | undefined;
  /** How the process ended, if no test had requested it. */
  unexpectedExit: string | undefined;
  #ownedPartitions: readonly number[] = [];
  /** Why it ended: its output that is not JSON, or its fatal log line. */
  #lastOutput = '';
  readonly #libraryWarnings: string[] = [];

  /** Appends its output to `outputFile`. */
  constructor(app: AppName, env: Readonly<Record<string, string>>, outputFile: string) {
    this.app = app;
    this.#env = env;
    this.#output = createWriteStream(outputFile, { flags: 'a' });
  }

  get pid(): number {
    const pid = this.#child?.pid;
    if (pid === undefined) throw new Error(`${this.app} is not running`);
    return pid;
  }

  get isRunning(): boolean {
    return this.#child !== undefined;
  }

  /** The partitions that its stage last logged as owned; empty: it is on standby, or does not run. */
  get ownedPartitions(): readonly number[] {
    return this.#ownedPartitions;
  }

  /** Warnings of Node that libraries cause, such as a MaxListenersExceededWarning. */
  get libraryWarnings(): readonly string[] {
    return this.#libraryWarnings;
  }

  /** Starts the process; resolves once it reports that it is ready. */
  async start(): Promise<void> {
    let ready = false;
    this.#spawn().once('message', () => (ready = true));
    const isReady = (): boolean => {
      if (this.unexpectedExit !== undefined) throw new Error(this.unexpectedExit);
      return ready;
    };
    await until(`${this.app} to be ready`, isReady, startDeadlineMs);
  }

  /** Kills only the process, with `kill -9`; resolves once its children have noticed, and ended too. */
  async kill(): Promise<void> {
    const child = this.#child;
    const pid = child?.pid;
    this.#child = undefined;
    this.#ownedPartitions = [];
    if (child === undefined || pid === undefined) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    await until(`what ${this.app} had started to end`, () => !isGroupAlive(pid), orphansDeadlineMs);
  }

  async remove(): Promise<void> {
    await this.kill();
    this.#output.end();
  }

  /** Spawns it in its own process group, by which its children are found. */
  #spawn(): ChildProcess {
    const entry = fileURLToPath(new URL(`${distPath}/run/${this.app}.js`, import.meta.url));
    const child = endLater(
      spawn(process.execPath, [entry], {
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        env: this.#env,
      }),
    );
    child.stdout?.pipe(this.#output, { end: false });
    child.stderr?.pipe(this.#output, { end: false });
    if (child.stdout !== null)
      createInterface({ input: child.stdout }).on('line', (line) => this.#inspectStdout(child, line));
    if (child.stderr !== null) createInterface({ input: child.stderr }).on('line', (line) => this.#inspectStderr(line));
    child.once('close', (code, signal) => {
      if (this.#child !== child) return;
      this.#child = undefined;
      this.unexpectedExit = `${this.app} ended by itself with ${signal ?? `code ${code}`}: ${this.#lastOutput}`;
    });
    this.#child = child;
    return child;
  }

  #inspectStderr(line: string): void {
    this.#lastOutput = line;
    if (libraryWarning.test(line)) this.#libraryWarnings.push(`${this.app} printed: ${line}`);
  }

  #inspectStdout(child: ChildProcess, line: string): void {
    if (isFatal(line)) this.#lastOutput = line;
    if (this.#child === child) this.#ownedPartitions = ownedPartitionsIn(line) ?? this.#ownedPartitions;
  }
}

const isFatal = (line: string): boolean => line.startsWith('{"level":60,');

/** Undefined for any other log line. */
const ownedPartitionsIn = (line: string): readonly number[] | undefined =>
  line.includes('"owned":') ? (JSON.parse(line) as { readonly owned: readonly number[] }).owned : undefined;

function isGroupAlive(pid: number): boolean {
  try {
    return process.kill(-pid, 0);
  } catch {
    return false;
  }
}
