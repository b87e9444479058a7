import { randomInt } from 'node:crypto';
import { engine } from '../support/engine.ts';
import { Chaos } from './chaos/chaos.ts';

/** `npm run chaos` goes on for longer; many processes start slowly. */
const seconds = engine === 'embedded' ? 30 : 20;
const roundSeconds = 15;
/** Far fewer than are published in this time: then all of it has begun to move. */
const events = 100;

test('through kills, receivers that fail and people who change things, counters add up at every moment, and published is what was acknowledged', async () => {
  const seed = randomInt(2 ** 31);
  const { problems, ...counts } = await Chaos.run({ seed, seconds, roundSeconds, events });
  expect({ seed, problems }).toEqual({ seed, problems: [] });
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0);
}, 900_000);
