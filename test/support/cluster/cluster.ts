// The distributed engine taken apart: each app a process of its own that a test kills, starts and adds, on servers of its own.
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
/** Enough to be shared by two instances; each costs every stage a producer. */
const partitions = 4;
/** Of each file, and of each line of it, in `lastWords`. */
const lastLines = 30;
const lineMax = 500;

export interface ClusterOptions {
  /** How many instances of an app; one of each that is not named. */
  readonly scale?: Readonly<Partial<Record<AppName, number>>>;
  /** How many Kafka brokers; by default one. */
  readonly brokers?: number;
  readonly brokerOptions?: BrokerOptions;
  /** Added to what every app is told. */
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
      // History is signed on while things fail.
      CHECKPOINT_SECONDS: '1',
      ...compileCache,
      ...servers.variables,
      ...env,
    };
  }

  /** Every app is ready. */
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

  /** One more instance, ready. */
  async add(app: AppName): Promise<AppProcess> {
    const instance = new AppProcess(app, this.#env, join(this.#dataDir, `${app}-${this.#instances.length}.log`));
    this.#instances.push(instance);
    await instance.start();
    return instance;
  }

  /** Of one app, or of all, in the order of their start; also those that were killed. */
  instances(app?: AppName): readonly AppProcess[] {
    return this.#instances.filter((instance) => app === undefined || instance.app === app);
  }

  /** What every app is told. */
  get environment(): Readonly<Record<string, string>> {
    return this.#env;
  }

  /** What ended though nobody asked for it. */
  get endings(): readonly string[] {
    return this.#instances.flatMap(({ ending }) => ending ?? []);
  }

  /** What no app may print, whatever happens to its servers. */
  get libraryWarnings(): readonly string[] {
    return this.#instances.flatMap(({ libraryWarnings }) => libraryWarnings);
  }

  async apiKey(): Promise<string> {
    return (await readFile(join(this.#dataDir, 'api-key'), 'utf8')).trim();
  }

  /** The end of what each app and server printed, for whoever has to find out why it failed. */
  async lastWords(): Promise<string> {
    const parts: string[] = [];
    for await (const file of glob(['*.log', '*/server.log'], { cwd: this.#dataDir })) {
      const lines = (await readFile(join(this.#dataDir, file), 'utf8')).trimEnd().split('\n');
      parts.push(`--- ${file}`, ...lines.slice(-lastLines).map((line) => line.slice(0, lineMax)));
    }
    return `${parts.join('\n')}\n`;
  }

  /** Ends everything, and takes its data away. */
  async remove(): Promise<void> {
    await Promise.all(this.#instances.map((instance) => instance.remove()));
    await Promise.all([...this.servers.brokers, this.servers.mongodb].map((server) => server.remove()));
    await rm(this.#dataDir, { recursive: true, force: true });
  }
}
