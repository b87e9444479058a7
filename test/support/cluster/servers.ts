// Kafka brokers and a MongoDB server for one test, which can stop, kill, freeze and start them.
import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../processes/free-port.ts';
import { until } from '../until.ts';

interface ServerHandle {
  readonly server: { readonly dir: string; stop(): Promise<boolean>; pid(): number | undefined };
  /** Resolves once the server answers. */
  start(): Promise<void>;
  /** `NAME=value`: the environment variable with which an app finds it. */
  readonly variable: string;
}

interface ServerConfig {
  readonly port: number;
  readonly controllerPort?: number;
  readonly dataDir: string;
  readonly javaOptions?: readonly string[];
  readonly properties?: Readonly<Record<string, string | number>>;
  readonly formatOptions?: readonly string[];
}

/** The path of the local engines, from a test's source or from a built bench. */
const engines = `${extname(import.meta.url) === '.ts' ? '../../..' : '../../../..'}/deploy/local/engines`;
const loadEngine = (name: string): Promise<unknown> => import(new URL(`${engines}/${name}`, import.meta.url).href);
const killDeadlineMs = 10_000;

/** One server. Stop and kill resolve once it has ended; start resolves once it answers. */
export class ServerProcess {
  readonly #engine: ServerHandle;

  constructor(engine: ServerHandle) {
    this.#engine = engine;
    mkdirSync(engine.server.dir, { recursive: true });
  }

  start(): Promise<void> {
    return this.#engine.start();
  }

  async stop(): Promise<void> {
    await this.#engine.server.stop();
  }

  async kill(): Promise<void> {
    process.kill(this.pid, 'SIGKILL');
    await until('a killed server to be gone', () => this.#engine.server.pid() === undefined, killDeadlineMs);
  }

  /**
   * Stops the process, with open connections: like a full disk, or a swapping or paused machine. On a
   * busy machine it continues, and answers, for some milliseconds after the signal; no longer once this resolves.
   */
  async freeze(): Promise<void> {
    const { pid } = this;
    process.kill(pid, 'SIGSTOP');
    await until('a frozen server to stand still', () => isStopped(pid), killDeadlineMs);
  }

  thaw(): void {
    process.kill(this.pid, 'SIGCONT');
  }

  get pid(): number {
    const pid = this.#engine.server.pid();
    if (pid === undefined) throw new Error(`${this.#engine.variable} is not running`);
    return pid;
  }

  /** Ends it in any state. */
  async remove(): Promise<void> {
    if (this.#engine.server.pid() !== undefined) await this.kill();
  }

  get variable(): readonly [name: string, value: string] {
    const [name = '', ...value] = this.#engine.variable.split('=');
    return [name, value.join('=')];
  }
}

async function isStopped(pid: number): Promise<boolean> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'stat=', '-p', String(pid)]);
  return stdout.trim().startsWith('T');
}

export interface Servers {
  /** The first of the brokers. */
  readonly kafka: ServerProcess;
  readonly brokers: readonly ServerProcess[];
  readonly mongodb: ServerProcess;
  /** The environment variables with which an app finds the servers. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Options of a broker that a test can set. */
export type BrokerOptions = Pick<ServerConfig, 'javaOptions' | 'properties' | 'formatOptions'>;

/** Starts servers with their own ports and directory; resolves once all answer. Each broker has a full copy. */
export async function startServers(dataDir: string, count = 1, options: BrokerOptions = {}): Promise<Servers> {
  const { kafkaServer } = (await loadEngine('kafka.mjs')) as { kafkaServer(config: ServerConfig): ServerHandle };
  const { mongodbServer } = (await loadEngine('mongodb.mjs')) as { mongodbServer(config: ServerConfig): ServerHandle };
  const configs = count === 1 ? [await brokerConfig(dataDir)] : await clusterConfigs(count, dataDir);
  const brokers = configs.map((config) => new ServerProcess(kafkaServer(withOptions(config, options))));
  const mongodb = new ServerProcess(mongodbServer({ port: await freePort(), dataDir }));
  const all = [...brokers, mongodb];
  const started = await Promise.allSettled(all.map((server) => server.start()));
  const failed = started.find((one) => one.status === 'rejected');
  if (failed !== undefined) {
    await Promise.all(all.map((server) => server.remove()));
    throw failed.reason;
  }
  const [kafka] = brokers;
  if (kafka === undefined) throw new Error('a cluster has at least one broker');
  const [broker, [mongodbName, mongodbUrl]] = [kafka.variable[0], mongodb.variable];
  const addresses = brokers.map(({ variable: [, address] }) => address);
  const replication = count === 1 ? {} : { KAFKA_REPLICATION_FACTOR: String(count) };
  return {
    kafka,
    brokers,
    mongodb,
    variables: { [broker]: addresses.join(','), [mongodbName]: mongodbUrl, ...replication },
  };
}

function withOptions(
  config: ServerConfig,
  { javaOptions = [], properties = {}, formatOptions = [] }: BrokerOptions,
): ServerConfig {
  return { ...config, javaOptions, properties: { ...config.properties, ...properties }, formatOptions };
}

async function brokerConfig(dataDir: string): Promise<ServerConfig> {
  return { port: await freePort(), controllerPort: await freePort(), dataDir };
}

/** One broker may be away: the others have everything, and can write. Timeouts allow for a busy machine. */
async function clusterConfigs(count: number, dataDir: string): Promise<readonly ServerConfig[]> {
  const configs: ServerConfig[] = [];
  for (let i = 0; i < count; i++) configs.push(await brokerConfig(join(dataDir, `broker-${i + 1}`)));
  const voters = configs.map(({ controllerPort }, i) => `${i + 1}@127.0.0.1:${controllerPort}`).join(',');
  const minInSyncReplicas = count - 1;
  return configs.map((config, i) => ({
    ...config,
    properties: {
      'node.id': i + 1,
      'controller.quorum.voters': voters,
      'offsets.topic.replication.factor': count,
      'transaction.state.log.replication.factor': count,
      'transaction.state.log.min.isr': minInSyncReplicas,
      'broker.session.timeout.ms': 6_000,
      'broker.heartbeat.interval.ms': 1_000,
    },
  }));
}
