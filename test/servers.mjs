// The servers for suites of the distributed engine: the configured ones, or new ones for the duration of the tests.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kafkaServer } from '../deploy/local/engines/kafka.mjs';
import { mongodbServer } from '../deploy/local/engines/mongodb.mjs';
import { EngineProblem } from '../deploy/local/engines/tools.mjs';
import { lightJava as javaOptions } from './support/cluster/light-java.ts';
import { freePortPair } from './support/processes/free-port.ts';
import { removeLater } from './support/processes/left-behind.ts';

/** Compacts often, because some specs wait for compaction. */
const properties = { 'log.cleaner.backoff.ms': 200 };

const makers = {
  KAFKA_BROKERS: ({ dataDir, port }) => kafkaServer({ port, dataDir, javaOptions, properties }),
  MONGODB_URL: ({ dataDir, port }) => mongodbServer({ port, dataDir }),
};

export class Servers {
  /** The environment variables with which suites find the servers. */
  variables = {};
  /** Why servers could not be started, each with what to install. */
  problems = [];
  #engines = [];
  #dataDir = removeLater(mkdtempSync(join(tmpdir(), 'engines-')));

  /** Starts the servers that no variable names yet; if one cannot start, the others still do. */
  async start() {
    const wanted = Object.keys(makers).filter((name) => !process.env[name]);
    await Promise.all(wanted.map((name) => this.#start(name)));
  }

  /** Stops and removes everything, even servers that are still starting. */
  async stop() {
    while (this.#engines.some(({ server }) => server.pid() !== undefined))
      await Promise.all(this.#engines.map(({ server }) => server.stop()));
    rmSync(this.#dataDir, { recursive: true, force: true });
  }

  async #start(name) {
    const engine = makers[name]({ dataDir: this.#dataDir, port: await freePortPair() });
    this.#engines.push(engine);
    try {
      await engine.start();
      Object.assign(this.variables, variable(engine));
    } catch (error) {
      if (!(error instanceof EngineProblem)) throw error;
      this.problems.push(error.message);
    }
  }
}

/** Parses an engine's `NAME=value`. */
function variable({ variable: text }) {
  const at = text.indexOf('=');
  return { [text.slice(0, at)]: text.slice(at + 1) };
}
