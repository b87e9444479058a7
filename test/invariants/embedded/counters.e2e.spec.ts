import { randomInt } from 'node:crypto';
import { Chaos } from '../chaos/chaos.ts';

const seconds = 30;
const roundSeconds = 15;
/** More than is taken in this time on any machine that we have seen. */
const events = 1_000;

test('through kills, receivers that fail and replays, counters add up at every moment, and published is what was acknowledged', async () => {
  const seed = randomInt(2 ** 31);
  const { problems, ...counts } = await Chaos.run({ seed, seconds, roundSeconds, events });
  expect({ seed, problems }).toEqual({ seed, problems: [] });
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0);
}, 900_000);
