import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, freePortPair } from '../../support/processes/free-port.ts';

interface CommandResult {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

const command = fileURLToPath(new URL('../../../deploy/local/engines.mjs', import.meta.url));
const slowMs = 90_000;

const running = /^Kafka: running \(pid \d+\) KAFKA_BROKERS=\S+\nMongoDB: running \(pid \d+\) MONGODB_URL=\S+\n$/;

let dataDir: string;
let kafkaPort: number;
let mongodbPort: number;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'engines-'));
  // Kafka's controller uses the next port.
  [kafkaPort, mongodbPort] = [await freePortPair(), await freePort()];
});

afterAll(async () => {
  await runEngines(['stop']);
  await rm(dataDir, { recursive: true, force: true });
}, slowMs);

/** Runs `npm run engines -- ...` with ports and a data directory of the test; later arguments replace earlier ones. */
function runEngines(args: readonly string[]): Promise<CommandResult> {
  const [kafka, mongodb] = [String(kafkaPort), String(mongodbPort)];
  const own = ['--kafka-port', kafka, '--mongodb-port', mongodb, '--data-dir', dataDir];
  const child = spawn(process.execPath, [command, ...own, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const told = { output: '', errors: '' };
  child.stdout.on('data', (text: Buffer) => (told.output += text.toString()));
  child.stderr.on('data', (text: Buffer) => (told.errors += text.toString()));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...told })));
}

test('when nothing runs, status says so and ends with 1', async () => {
  expect(await runEngines(['status'])).toMatchObject({ code: 1, output: 'Kafka: not running\nMongoDB: not running\n' });
});

test(
  'start prints only the two variables, and a second start changes nothing',
  async () => {
    const variables = new RegExp(
      `^KAFKA_BROKERS=127\\.0\\.0\\.1:${kafkaPort}\nMONGODB_URL=mongodb://.*:${mongodbPort}/.*\n$`,
    );
    expect(await runEngines([])).toEqual({
      code: 0,
      output: expect.stringMatching(variables),
      errors: expect.any(String),
    });
    const first = await runEngines(['status']);
    expect(first).toMatchObject({ code: 0, output: expect.stringMatching(running) });
    expect(await runEngines([])).toEqual({
      code: 0,
      output: expect.stringMatching(variables),
      errors: expect.any(String),
    });
    expect(await runEngines(['status'])).toEqual(first);
  },
  slowMs,
);

test(
  'refuses to use the same data on another port and says to stop the running one first',
  async () => {
    const refused = await runEngines(['--kafka-port', String(await freePort())]);
    expect(refused).toMatchObject({ code: 1, output: '' });
    expect(refused.errors).toContain(`already, on port ${kafkaPort}: stop it first`);
  },
  slowMs,
);

test('names a port that another process uses', async () => {
  const other = createServer((socket) => socket.once('data', () => socket.end('no'))).listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as { port: number };
  const elsewhere = ['--only', 'kafka', '--kafka-port', String(port), '--data-dir', join(dataDir, 'other')];
  const refused = await runEngines(elsewhere);
  expect(refused).toMatchObject({ code: 1, errors: expect.stringContaining(`port ${port} is taken`) });
  other.close();
});

test('an unknown command prints the usage, and an invalid port is named', async () => {
  expect(await runEngines(['restart'])).toMatchObject({ code: 1, errors: expect.stringContaining('npm run engines') });
  expect(await runEngines(['--kafka-port', 'http'])).toMatchObject({
    code: 1,
    errors: expect.stringContaining("'http'"),
  });
});

test(
  'stop ends both servers, and a second stop changes nothing',
  async () => {
    expect(await runEngines(['stop'])).toMatchObject({ code: 0, output: 'Kafka: stopped\nMongoDB: stopped\n' });
    expect(await runEngines(['status'])).toMatchObject({ code: 1 });
    expect(await runEngines(['stop'])).toMatchObject({
      code: 0,
      output: 'Kafka: was not running\nMongoDB: was not running\n',
    });
  },
  slowMs,
);
