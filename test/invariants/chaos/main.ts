// `npm run chaos -- [--minutes N] [--events N] [--engine distributed] [--seed N]`: the same for longer, and with more events.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { endWithNpm } from '../../support/processes/left-behind.ts';

const minutesDefault = 10;
const eventsDefault = 1_000_000;
const roundsPerMinute = 4;
const seedsMax = 2 ** 31 - 1;

endWithNpm();
const text = { type: 'string' } as const;
const { values } = parseArgs({ options: { minutes: text, events: text, engine: text, seed: text } });
const minutes = Number(values.minutes ?? minutesDefault);
const eventsMax = Number(values.events ?? eventsDefault);
const seed = Number(values.seed ?? randomInt(seedsMax));
const { engine = 'embedded' } = values;
const isKnown = engine === 'embedded' || engine === 'distributed';
if (!isKnown || !(minutes > 0) || !Number.isSafeInteger(eventsMax) || !Number.isSafeInteger(seed)) {
  process.stderr.write(
    'Give --minutes a number above 0, --events and --seed a whole number, --engine embedded or distributed\n',
  );
  process.exit(1);
}

// What a project of Jest says to its specs; read when the product's module is loaded.
Object.assign(globalThis, { productEngine: engine });
const { Chaos } = await import('./chaos.ts');
process.stdout.write(`${engine}, seed ${seed}\n`);
const rounds = Math.ceil(minutes * roundsPerMinute);
const { problems, ...counts } = await Chaos.run({ seed, seconds: minutes * 60, rounds, eventsMax });
process.stdout.write(`${JSON.stringify(counts)}\n`);
for (const problem of problems) process.stdout.write(`problem: ${problem}\n`);
process.exit(problems.length === 0 ? 0 : 1);
