// How long the distributed product is away after all of its apps are killed at once, while Kafka and MongoDB stay up.
import { Cluster } from '../../support/cluster/cluster.ts';
import { pause, until } from '../../support/until.ts';
import { figure, type Bench } from '../report/figure.ts';
import { LoadSetup } from '../load/load-setup.ts';
import { acceptedOf } from '../load/traffic.ts';

/** Sources in several partitions, all busy when the apps are killed. */
const sources = 8;
const load = { perSecond: 50, seconds: 10 };
const killAfterMs = 5_000;
const deliveredMs = 120_000;

export const recovery: Bench = {
  name: 'distributed.recovery',
  engine: 'distributed',
  async run() {
    const setup = await LoadSetup.start(await Cluster.start(), { sources, webhooks: 1 });
    try {
      const apps = setup.product.instances();
      const before = setup.load(load);
      await pause(killAfterMs);
      await Promise.all(apps.map((app) => app.kill()));
      const killedAt = performance.now();
      await Promise.all(apps.map((app) => app.start()));
      const readyAt = performance.now();
      const accepted = acceptedOf(await setup.load({ perSecond: sources, seconds: 1 }));
      const wanted = [...acceptedOf(await before), ...accepted];
      await until('what was accepted to arrive', () => wanted.every(([n]) => setup.arrivals.has(n)), deliveredMs);
      return [
        figure('distributed.recovery.ready', readyAt - killedAt, 'ms', '<= 10,000 ms'),
        figure('distributed.recovery.delivered', performance.now() - killedAt, 'ms'),
      ];
    } finally {
      await setup.stop();
    }
  },
};
