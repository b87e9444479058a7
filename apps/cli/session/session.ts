// The session of a command: its output, its prompts, and its connection to the service.
import type { Readable } from 'node:stream';
import type { Client } from '../../../libs/client/index.ts';
import { restrictToOwner, readConfig } from '../config/config-file.ts';
import { connectionOf, profileName } from '../config/connection.ts';
import type { Connection } from '../config/connection.ts';
import { Output } from '../output/output.ts';
import type { Terminal } from '../output/output.ts';
import type { Prompts } from '../prompts/prompts.ts';
import type { Environment } from '../config/environment.ts';
import { usageFailure } from '../failures/failure.ts';

export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Terminal;
  readonly stderr: Terminal;
}

export interface Surroundings {
  readonly environment: Environment;
  readonly io: Io;
}

/** Options that every command takes. */
export interface GlobalOptions {
  readonly profile?: string;
  readonly json?: boolean;
}

export class Session {
  readonly environment: Environment;
  readonly io: Io;
  readonly out: Output;
  readonly profile: string;
  #connection: Connection | undefined;

  constructor({ environment, io }: Surroundings, { profile, json = false }: GlobalOptions) {
    this.environment = environment;
    this.io = io;
    this.profile = profileName(profile, environment);
    this.out = new Output({ stdout: io.stdout, stderr: io.stderr, json, color: environment.color });
  }

  /** Whether a user can read a question and type an answer. */
  get canAsk(): boolean {
    return this.io.stdin.isTTY === true && this.io.stderr.isTTY === true;
  }

  async connection(): Promise<Connection> {
    if (this.#connection !== undefined) return this.#connection;
    const { configFile } = this.environment;
    const config = await readConfig(configFile);
    const access = await restrictToOwner(configFile);
    if (access === 'closed') this.out.warn(`others could read ${configFile}, which holds API keys; now they cannot`);
    if (access === 'open') this.out.warn(`others can read ${configFile}, which holds API keys`);
    this.#connection = connectionOf(config, this.profile, this.environment);
    return this.#connection;
  }

  /** Loads the client only when needed: it takes longer than the rest of a command's start. */
  async client(connection?: Connection, timeoutMs?: number): Promise<Client> {
    const { url: baseUrl, apiKey } = connection ?? (await this.connection());
    const { createClient } = await import('../../../libs/client/index.ts');
    return createClient({ baseUrl, apiKey, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  }

  /** Throws a Failure if nobody can answer: `missing` is its message, `hint` says how to give the value. */
  async prompts(missing: string, hint?: string): Promise<Prompts> {
    if (!this.canAsk) throw usageFailure(missing, hint);
    const loaded = await import('../prompts/prompts.ts');
    return new loaded.Prompts(this.io.stdin, this.io.stderr);
  }
}
