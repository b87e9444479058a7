import { randomInt } from 'node:crypto';
import type { AppName } from '../../support/cluster/app-process.ts';
import { expectWhole, withTrial } from '../../support/cluster/trial.ts';
import { pause } from '../../support/until.ts';

const apps: readonly AppName[] = ['gateway', 'lifecycle', 'scheduler', 'runtime', 'delivery', 'projection'];
/** Long enough to fall anywhere in a trigger's way: appended, run, delivered, flushed. */
const killWithinMs = 300;

const given = withTrial({ stories: 2 });

test('each app, killed under load and started again, loses nothing, repeats nothing inside, and is back in 30 s', async () => {
  const { trial } = given;
  for (const app of apps) {
    await pause(randomInt(killWithinMs));
    const inFlight = trial.commands.send();
    for (const instance of trial.cluster.instances(app)) {
      await instance.kill();
      await Promise.all([instance.start(), trial.recovered()]);
    }
    await inFlight;
  }
  await expectWhole(trial, apps.length);
}, 300_000);
