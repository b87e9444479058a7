import { randomInt } from 'node:crypto';
import { engine } from '../support/engine.ts';
import { Chaos } from './chaos/chaos.ts';

/** `npm run chaos` runs for longer. */
const seconds = 60;
const roundSeconds = 15;
/** The distributed engine gets fewer: after a kill its processes start slowly. */
const events = engine === 'embedded' ? 50_000 : 5_000;

test('counters always add up, and match what was acknowledged, despite kills and failing receivers', async () => {
  const seed = randomInt(2 ** 31);
  const { problems, ...counts } = await Chaos.run({ seed, seconds, roundSeconds, events });
  expect({ seed, problems }).toEqual({ seed, problems: [] });
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0);
}, 900_000);
