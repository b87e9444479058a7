// A Kafka node and a MongoDB server of one test's own, which it may stop, kill and start again.
import { mkdirSync } from 'node:fs';
import { extname } from 'node:path';
import { freePort } from '../product.ts';
import { until } from '../until.ts';

interface Engine {
  readonly server: { readonly dir: string; stop(): Promise<boolean>; pid(): number | undefined };
  /** Resolves once it answers. */
  start(): Promise<void>;
  /** `NAME=value`: what tells an app where it is. */
  readonly variable: string;
}

interface Place {
  readonly port: number;
  readonly controllerPort?: number;
  readonly dataDir: string;
  readonly javaOptions?: readonly string[];
}

/** The local engines, seen from a test's source and from a built bench. */
const engines = `${extname(import.meta.url) === '.ts' ? '../../..' : '../../../..'}/deploy/local/engines`;
const load = (name: string): Promise<unknown> => import(new URL(`${engines}/${name}`, import.meta.url).href);
const killDeadlineMs = 10_000;

/** One server. Stopping and killing take effect before they resolve; starting, when it answers. */
export class ServerProcess {
  readonly #engine: Engine;

  constructor(engine: Engine) {
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

  get pid(): number {
    const pid = this.#engine.server.pid();
    if (pid === undefined) throw new Error(`${this.#engine.variable} is not running`);
    return pid;
  }

  /** Ended, however it stands. */
  async remove(): Promise<void> {
    if (this.#engine.server.pid() !== undefined) await this.kill();
  }

  get variable(): readonly [name: string, value: string] {
    const [name = '', ...value] = this.#engine.variable.split('=');
    return [name, value.join('=')];
  }
}

export interface Servers {
  readonly kafka: ServerProcess;
  readonly mongodb: ServerProcess;
}

/** Both answer; on ports and in a directory of their own. */
export async function startServers(dataDir: string): Promise<Servers> {
  const { kafkaServer } = (await load('kafka.mjs')) as { kafkaServer(place: Place): Engine };
  const { mongodbServer } = (await load('mongodb.mjs')) as { mongodbServer(place: Place): Engine };
  const [port, controllerPort, mongodbPort] = [await freePort(), await freePort(), await freePort()];
  const kafka = new ServerProcess(kafkaServer({ port, controllerPort, dataDir }));
  const mongodb = new ServerProcess(mongodbServer({ port: mongodbPort, dataDir }));
  await Promise.all([kafka.start(), mongodb.start()]);
  return { kafka, mongodb };
}
