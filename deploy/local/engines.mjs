// `npm run engines [-- stop | status]`: runs a real Kafka node and a MongoDB server on loopback, without Docker.
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { kafkaServer } from './engines/kafka.mjs';
import { mongodbServer } from './engines/mongodb.mjs';
import { defaultDataDir } from './engines/places.mjs';
import { EngineProblem } from './engines/tools.mjs';

const usage = `npm run engines [-- start | stop | status] [options]
  --kafka-port N       19092; its controller takes the next one
  --mongodb-port N     27117
  --data-dir DIR       ${defaultDataDir}
  --only NAME          kafka or mongodb
`;

const commands = { start, stop, status };

try {
  const { command, engines } = parse();
  await commands[command](engines);
} catch (error) {
  if (!(error instanceof EngineProblem)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

function parse() {
  const { values, positionals } = read();
  const [command = 'start', ...rest] = positionals;
  if (!Object.hasOwn(commands, command) || rest.length > 0) throw new EngineProblem(usage);
  const dataDir = resolve(values['data-dir']);
  const all = {
    kafka: kafkaServer({ port: portOf(values, 'kafka-port'), dataDir }),
    mongodb: mongodbServer({ port: portOf(values, 'mongodb-port'), dataDir }),
  };
  if (values.only === undefined) return { command, engines: Object.values(all) };
  if (!Object.hasOwn(all, values.only)) throw new EngineProblem(usage);
  return { command, engines: [all[values.only]] };
}

function read() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        'kafka-port': { type: 'string', default: '19092' },
        'mongodb-port': { type: 'string', default: '27117' },
        'data-dir': { type: 'string', default: defaultDataDir },
        only: { type: 'string' },
      },
    });
  } catch (error) {
    throw new EngineProblem(`${error.message}\n${usage}`);
  }
}

function portOf(values, name) {
  const port = Number(values[name]);
  if (!Number.isInteger(port) || port < 1 || port > 65_534)
    throw new EngineProblem(`--${name} takes a port, not '${values[name]}'`);
  return port;
}

/** Starts both servers even if one cannot be started: the problems of both are reported at once. */
async function start(engines) {
  for (const { server } of engines) mkdirSync(server.dir, { recursive: true });
  const started = await Promise.allSettled(engines.map((engine) => engine.start()));
  const problems = started.filter(({ status }) => status === 'rejected').map(({ reason }) => reason);
  const unexpected = problems.find((problem) => !(problem instanceof EngineProblem));
  if (unexpected !== undefined) throw unexpected;
  if (problems.length > 0) throw new EngineProblem(problems.map(({ message }) => message).join('\n'));
  for (const { variable } of engines) process.stdout.write(`${variable}\n`);
}

async function stop(engines) {
  for (const { server } of engines)
    process.stdout.write(`${server.name}: ${(await server.stop()) ? 'stopped' : 'was not running'}\n`);
}

/** Exits with 1 unless all of them answer. */
async function status(engines) {
  for (const { server, variable } of engines) {
    const pid = server.pid();
    const answers = await server.answers();
    if (pid === undefined || !answers) process.exitCode = 1;
    process.stdout.write(`${server.name}: ${describe(server, pid, answers)}${answers ? ` ${variable}` : ''}\n`);
  }
}

function describe({ port, logFile }, pid, answers) {
  if (pid === undefined) return answers ? `not started here, but port ${port} answers` : 'not running';
  return answers ? `running (pid ${pid})` : `running (pid ${pid}) but not answering, see ${logFile}`;
}
