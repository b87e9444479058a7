// The distributed engine with its own servers; a test can kill, start and add each app as a separate process.
import { randomBytes } from 'node:crypto';
import { glob, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppProcess } from './app-process.ts';
import type { AppName } from './app-process.ts';
import { startServers } from './servers.ts';
import type { BrokerOptions, Servers } from './servers.ts';
import { removeLater } from '../processes/left-behind.ts';
import { compileCache } from '../engine.ts';
import { freePort } from '../processes/free-port.ts';

const workers: readonly AppName[] = ['lifecycle', 'scheduler', 'runtime', 'delivery', 'projection', 'audit'];
/** Enough for two instances to share; every partition costs each stage a producer. */
const partitions = 4;
/** Limits of `outputTails`, for each file and each of its lines. */
const lastLines = 30;
const lineUnitsMax = 500;

export interface ClusterOptions {
  /** How many instances of an app; by default one. */
  readonly scale?: Readonly<Partial<Record<AppName, number>>>;
  /** How many Kafka brokers; by default one. */
  readonly brokers?: number;
  readonly brokerOptions?: BrokerOptions;
  /** Environment variables that are added for every app. */
  readonly env?: Readonly<Record<string, string>>;
}

export class Cluster {
  readonly baseUrl: string;
  readonly servers: Servers;
  readonly #dataDir: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #instances: AppProcess[] = [];

  private constructor(port: number, dataDir: string, servers: Servers, env: Readonly<Record<string, string>>) {
    this.baseUrl = `http://127.0.0.1:${port}`;
    this.servers = servers;
    this.#dataDir = dataDir;
    this.#env = {
      PATH: process.env['PATH'] ?? '',
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: dataDir,
      EGRESS_ALLOW: '127.0.0.0/8',
      MASTER_KEY: randomBytes(32).toString('base64'),
      KAFKA_PARTITIONS: String(partitions),
      // Signs history often, so that it is signed during faults.
      CHECKPOINT_SECONDS: '1',
      ...compileCache,
      ...servers.variables,
      ...env,
    };
  }

  /** Resolves once every app is ready. */
  static async start({ scale = {}, brokers, brokerOptions, env = {} }: ClusterOptions = {}): Promise<Cluster> {
    const dataDir = removeLater(await mkdtemp(join(tmpdir(), 'cluster-')));
    const servers = await startServers(dataDir, brokers, brokerOptions).catch(async (error: unknown) => {
      await rm(dataDir, { recursive: true, force: true });
      throw error;
    });
    const cluster = new Cluster(await freePort(), dataDir, servers, env);
    try {
      await Promise.all(workers.flatMap((app) => Array.from({ length: scale[app] ?? 1 }, () => cluster.add(app))));
      await cluster.add('gateway');
    } catch (error) {
      await cluster.remove();
      throw error;
    }
    return cluster;
  }

  /** Adds one more instance; resolves once it is ready. */
  async add(app: AppName): Promise<AppProcess> {
    const instance = new AppProcess(app, this.#env, join(this.#dataDir, `${app}-${this.#instances.length}.log`));
    this.#instances.push(instance);
    await instance.start();
    return instance;
  }

  /** The instances of one app, or of all, in the order of their start; killed ones included. */
  instances(app?: AppName): readonly AppProcess[] {
    return this.#instances.filter((instance) => app === undefined || instance.app === app);
  }

  /** The environment variables of every app. */
  get environment(): Readonly<Record<string, string>> {
    return this.#env;
  }

  /** The processes that ended unexpectedly. */
  get unexpectedExits(): readonly string[] {
    return this.#instances.flatMap(({ unexpectedExit: ending }) => ending ?? []);
  }

  /** Warnings that no app may print, whatever happens to its servers. */
  get libraryWarnings(): readonly string[] {
    return this.#instances.flatMap(({ libraryWarnings }) => libraryWarnings);
  }

  async apiKey(): Promise<string> {
    return (await readFile(join(this.#dataDir, 'api-key'), 'utf8')).trim();
  }

  /** The end of the output of each app and server, to find the cause of a failure. */
  async outputTails(): Promise<string> {
    const parts: string[] = [];
    for await (const file of glob(['*.log', '*/server.log'], { cwd: this.#dataDir })) {
      const lines = (await readFile(join(this.#dataDir, file), 'utf8')).trimEnd().split('\n');
      parts.push(`--- ${file}`, ...lines.slice(-lastLines).map((line) => line.slice(0, lineUnitsMax)));
    }
    return `${parts.join('\n')}\n`;
  }

  /** Ends everything, and removes its data. */
  async remove(): Promise<void> {
    await Promise.all(this.#instances.map((instance) => instance.remove()));
    await Promise.all([...this.servers.brokers, this.servers.mongodb].map((server) => server.remove()));
    await rm(this.#dataDir, { recursive: true, force: true });
  }
}
