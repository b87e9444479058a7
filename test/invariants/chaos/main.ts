// `npm run chaos -- [--minutes N] [--events N] [--engine distributed] [--seed N]`: counters.e2e.spec.ts,
// but longer and with more events.
import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Outcome } from './chaos.ts';
import { startServers } from '../../support/cluster/servers.ts';
import { endWithNpm, removeLater } from '../../support/processes/left-behind.ts';

const minutesDefault = 10;
const eventsDefault = 1_000_000;
const roundSeconds = 15;
const seedsMax = 2 ** 31 - 1;

endWithNpm();
const text = { type: 'string' } as const;
const { values } = parseArgs({ options: { minutes: text, events: text, engine: text, seed: text } });
const minutes = Number(values.minutes ?? minutesDefault);
const events = Number(values.events ?? eventsDefault);
const seed = Number(values.seed ?? randomInt(seedsMax));
const { engine = 'embedded' } = values;
const isKnown = engine === 'embedded' || engine === 'distributed';
if (!isKnown || !(minutes > 0) || !Number.isSafeInteger(events) || !Number.isSafeInteger(seed)) {
  process.stderr.write(
    'Give --minutes a number above 0, --events and --seed a whole number, --engine embedded or distributed\n',
  );
  process.exit(1);
}

// Set like a Jest project does for its specs; read when the product's module is loaded.
Object.assign(globalThis, { productEngine: engine });
const { Chaos } = await import('./chaos.ts');
const end = engine === 'distributed' ? await ownServers() : undefined;
process.stdout.write(`${engine}, seed ${seed}\n`);
const begun = performance.now();
const tell = ({ problems, ...counts }: Outcome): void => {
  const seconds = Math.round((performance.now() - begun) / 1_000);
  process.stdout.write(`${JSON.stringify({ seconds, ...counts, problems: problems.length })}\n`);
};
try {
  const outcome = await Chaos.run({ seed, seconds: minutes * 60, roundSeconds, events, tell });
  tell(outcome);
  const { problems } = outcome;
  for (const problem of problems) process.stdout.write(`problem: ${problem}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await end?.();
}
process.exit();

/** Uses the configured servers, or starts some for this run. */
async function ownServers(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['KAFKA_BROKERS'] !== undefined && process.env['MONGODB_URL'] !== undefined) return undefined;
  const dataDir = removeLater(await mkdtemp(join(tmpdir(), 'chaos-')));
  const { kafka, mongodb, variables } = await startServers(dataDir);
  Object.assign(process.env, variables);
  return async () => {
    await Promise.all([kafka.remove(), mongodb.remove()]);
    await rm(dataDir, { recursive: true, force: true });
  };
}
