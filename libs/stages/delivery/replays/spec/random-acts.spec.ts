// The counters match the attempts on the log, whatever is requested and whenever the stage is killed.
import { randomInt } from 'node:crypto';
import { RandomActs, drawFrom } from './random-acts.fake.ts';

/** Settings with an order, by key or not, and without one. */
const settings = [
  { ordered: true },
  { ordered: false },
  { ordered: true, orderKey: '/key' },
  { ordered: false, maxInFlight: 2 },
];
const acts = 150;

test.each(settings.map((one) => [one, randomInt(2 ** 31)] as const))(
  '%j, seed %i: counters and attempts agree at every kill, and no emitted event is left out',
  async (one, seed) => {
    const random = await RandomActs.begin(drawFrom(seed), one);
    try {
      for (let act = 0; act < acts; act++) await random.act();
      await random.end();
      random.check();
      expect(random.world.fatal).toEqual([]);
      expect(random.published).toBe(random.emitted);
      expect(random.parked).toEqual([]);
    } finally {
      await random.world.end();
    }
  },
  60_000,
);
