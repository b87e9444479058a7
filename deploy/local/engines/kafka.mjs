// Runs a single Kafka node from Maven Central's jars.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheDir } from './places.mjs';
import { Server } from './server.mjs';
import { need, run } from './tools.mjs';

const filesDir = fileURLToPath(new URL('../kafka', import.meta.url));
const pom = join(filesDir, 'pom.xml');
const [, version] = /<kafka\.version>(.*)<\/kafka\.version>/.exec(readFileSync(pom, 'utf8'));
const libsDir = join(cacheDir, `kafka-${version}`, 'libs');
/** 60 MiB on the slowest connections. */
const mavenTimeoutMs = 10 * 60_000;
/** Formatting writes one file: it takes seconds, mostly for Java's start. */
const formatTimeoutMs = 2 * 60_000;
/** An arbitrary fixed id: it distinguishes this cluster's disks from others'. */
const clusterId = 'MkU3OEVBNTcwNTJENDM2Qg';
/** ApiVersions, version 0: 10 bytes of header, correlation id 1, no client id. */
const ask = Buffer.from([0, 0, 0, 10, 0, 18, 0, 0, 0, 0, 0, 1, 0xff, 0xff]);

/**
 * `javaOptions` are added to the broker's and `properties` to its settings, over those of the file; `formatOptions` to
 * the command that creates its data directory. Tests use them to start faster, and for clusters and brokers with access
 * control.
 */
export function kafkaServer({ port, controllerPort = port + 1, dataDir, ...more }) {
  const dir = join(dataDir, 'kafka');
  const server = new Server({ name: 'Kafka', dir, port, ask });
  return {
    server,
    start: () => server.start(() => command({ dir, port, controllerPort, ...more })),
    variable: `KAFKA_BROKERS=127.0.0.1:${port}`,
  };
}

async function command({ dir, port, controllerPort, javaOptions = [], properties: own = {}, formatOptions = [] }) {
  need('run Kafka', existsSync(libsDir) ? ['java'] : ['java', 'mvn']);
  await resolveJars();
  const properties = join(dir, 'server.properties');
  const template = readFileSync(join(filesDir, 'server.properties'), 'utf8');
  const values = { PORT: port, CONTROLLER_PORT: controllerPort, DATA_DIR: join(dir, 'data') };
  const added = Object.entries(own).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(
    properties,
    [template, ...added].join('').replace(/@([A-Z_]+)@/g, (_, name) => values[name]),
  );
  const java = (...args) => [
    'java',
    '-Xmx512m',
    '-XX:+UseG1GC',
    '-XX:+ExitOnOutOfMemoryError',
    '-Djava.awt.headless=true',
    `-Dlog4j2.configurationFile=${join(filesDir, 'log4j2.yaml')}`,
    ...javaOptions,
    '-cp',
    `${libsDir}/*`,
    ...args,
  ];
  if (!existsSync(join(dir, 'data', 'meta.properties'))) {
    const format = ['format', '-t', clusterId, '-c', properties, '--ignore-formatted', ...formatOptions];
    await run(java('kafka.tools.StorageTool', ...format), {
      logFile: join(dir, 'format.log'),
      limitMs: formatTimeoutMs,
    });
  }
  return java('kafka.Kafka', properties);
}

/** Downloads into a temporary folder first, so that an interrupted download is never mistaken for a complete one. */
async function resolveJars() {
  if (existsSync(libsDir)) return;
  process.stderr.write(`Fetching Kafka ${version}, once (60 MiB) ...\n`);
  const partial = `${libsDir}.${process.pid}`;
  mkdirSync(dirname(libsDir), { recursive: true });
  const copy = ['-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${partial}`];
  await run(['mvn', '-B', '-q', ...copy], { logFile: join(dirname(libsDir), 'maven.log'), limitMs: mavenTimeoutMs });
  if (existsSync(libsDir)) rmSync(partial, { recursive: true });
  else renameSync(partial, libsDir);
}
