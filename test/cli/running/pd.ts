// Runs `pd` as a user does: the built file in its own process, with pipes for stdin, stdout and stderr.
import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { endLater } from '../../support/processes/left-behind.ts';
import { until } from '../../support/until.ts';

export const pdPath = fileURLToPath(new URL('../../../dist/pd/pd.cjs', import.meta.url));

export type Environment = Readonly<Record<string, string>>;

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  readonly env: Environment;
  readonly stdin?: string;
  readonly cwd?: string;
}

/** Only the given variables and PATH: nothing of the user who runs the tests. */
export const environmentOf = (env: Environment): NodeJS.ProcessEnv => ({ PATH: process.env['PATH'], ...env });

function spawnPd(args: readonly string[], { env, cwd }: CommandOptions): ChildProcessWithoutNullStreams {
  const cwdOption = cwd === undefined ? {} : { cwd };
  return endLater(
    spawn(process.execPath, [pdPath, ...args], { detached: true, env: environmentOf(env), ...cwdOption }),
  );
}

/** Runs one call to its end. */
export async function pd(args: readonly string[], options: CommandOptions): Promise<CommandResult> {
  const child = spawnPd(args, options);
  const closed = once(child, 'close') as Promise<[number | null]>;
  child.stdin.end(options.stdin ?? '');
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { code, stdout, stderr };
}

/** A call that runs until it is interrupted. */
export class RunningCommand {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #closed: Promise<[number | null]>;
  stdout = '';
  stderr = '';

  constructor(args: readonly string[], options: CommandOptions) {
    this.#child = spawnPd(args, options);
    this.#closed = once(this.#child, 'close') as Promise<[number | null]>;
    this.#child.stdout.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()));
    this.#child.stderr.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
  }

  /** The complete lines of stdout so far, parsed. */
  records<T>(): readonly T[] {
    const lines = this.stdout.split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as T);
  }

  /** Waits for so many records, and returns the first of them. */
  waitForRecords<T>(count: number): Promise<readonly T[]> {
    return until(`${count} records of pd`, () => {
      const records = this.records<T>();
      return records.length >= count && records.slice(0, count);
    });
  }

  waitForStderr(pattern: RegExp): Promise<boolean> {
    return until(`pd to say ${pattern}`, () => pattern.test(this.stderr));
  }

  /** Sends Ctrl-C; returns the exit code. */
  interrupt(): Promise<number | null> {
    this.#child.kill('SIGINT');
    return this.exitCode();
  }

  async exitCode(): Promise<number | null> {
    const [code] = await this.#closed;
    return code;
  }
}
