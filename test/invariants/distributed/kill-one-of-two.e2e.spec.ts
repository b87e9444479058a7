import { randomInt } from 'node:crypto';
import type { AppName } from '../../support/cluster/app-process.ts';
import { expectWhole, withTrial } from '../../support/cluster/trial.ts';
import { pause } from '../../support/until.ts';

const apps: readonly AppName[] = ['runtime', 'delivery'];
const killWithinMs = 300;
/** Of each app the first is killed, one is added, and then the second is killed: every partition changes hands. */
const faultsPerApp = 3;

/** One source has one partition: several, so that both instances have something to lose. */
const given = withTrial({ stories: 4, scale: { runtime: 2, delivery: 2 } });

test('when one of two instances is killed, one added, and the other killed, the rest carries on with everything', async () => {
  const { trial } = given;
  for (const app of apps) {
    const [first, second] = trial.cluster.instances(app);
    await pause(randomInt(killWithinMs));
    await first?.kill();
    await trial.recovered();
    await Promise.all([trial.cluster.add(app), trial.recovered()]);
    await pause(randomInt(killWithinMs));
    await second?.kill();
    await trial.recovered();
  }
  await expectWhole(trial, apps.length * faultsPerApp);
}, 300_000);
