import { randomInt } from 'node:crypto';
import { engine } from '../support/engine.ts';
import { Chaos } from './chaos/chaos.ts';

/** `npm run chaos` runs for longer. The distributed engine gets less time, since its processes start slowly. */
const seconds = engine === 'embedded' ? 30 : 20;
const roundSeconds = 15;
/** Far fewer than are published in this time; by then everything has been under load. */
const events = 100;

test('counters always add up, and match what was acknowledged, despite kills and failing receivers', async () => {
  const seed = randomInt(2 ** 31);
  const { problems, ...counts } = await Chaos.run({ seed, seconds, roundSeconds, events });
  expect({ seed, problems }).toEqual({ seed, problems: [] });
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0);
}, 900_000);
