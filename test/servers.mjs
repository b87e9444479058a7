// The servers that suites of the distributed engine run against: those that are set, or else own ones for as long as the tests run.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kafkaServer } from '../deploy/local/engines/kafka.mjs';
import { mongodbServer } from '../deploy/local/engines/mongodb.mjs';
import { EngineProblem } from '../deploy/local/engines/tools.mjs';
import { lightJava as javaOptions } from './support/cluster/light-java.ts';
import { freePortPair } from './support/processes/free-port.ts';
import { removeLater } from './support/processes/left-behind.ts';

/** Compaction is waited for by who reads what it leaves. */
const properties = { 'log.cleaner.backoff.ms': 200 };

const makers = {
  KAFKA_BROKERS: ({ dataDir, port }) => kafkaServer({ port, dataDir, javaOptions, properties }),
  MONGODB_URL: ({ dataDir, port }) => mongodbServer({ port, dataDir }),
};

export class Servers {
  /** What suites find them by. */
  variables = {};
  /** Why some could not be had, each with what to install. */
  problems = [];
  #engines = [];
  #dataDir = removeLater(mkdtempSync(join(tmpdir(), 'engines-')));

  /** Those that no variable names yet; one that cannot be had does not keep the other from starting. */
  async start() {
    const wanted = Object.keys(makers).filter((name) => !process.env[name]);
    await Promise.all(wanted.map((name) => this.#start(name)));
  }

  /** Also what a start that is under way has begun; nothing is left of them. */
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

/** `NAME=value`, as engines tell it. */
function variable({ variable: text }) {
  const at = text.indexOf('=');
  return { [text.slice(0, at)]: text.slice(at + 1) };
}
