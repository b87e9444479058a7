import { randomInt } from 'node:crypto';
import type { AppName, AppProcess } from '../../support/cluster/app-process.ts';
import { expectNothingLost, withTrial } from '../../support/trial/trial.ts';
import { pause } from '../../support/until.ts';

/** From the kill until commands sent then are carried out: the group needs 6 s to notice that a member is missing. */
const takeOverMs = 15_000;
/** Long enough to hit a trigger at any stage (appended, run, delivered, flushed), and a command as well. */
const killWithinMs = 300;
const apps: readonly AppName[] = ['gateway', 'lifecycle', 'scheduler', 'runtime', 'delivery', 'projection', 'audit'];
const ofTwo: readonly AppName[] = ['runtime', 'delivery'];

/** Each source has one partition; with several stories, both instances have work to lose. */
const context = withTrial({ loads: 4, scale: { lifecycle: 2, runtime: 2, delivery: 2 } });

let faults = 0;

async function kill(app: AppProcess | undefined): Promise<void> {
  await pause(randomInt(killWithinMs));
  faults++;
  await app?.kill();
}

test('one of two lifecycles is active, and when it is killed, the other carries out commands within 15 s', async () => {
  const { trial } = context;
  const lifecycles = trial.cluster.instances('lifecycle');
  const owned = () => lifecycles.map((one) => one.ownedPartitions);
  const [first, second] = owned()[0]?.length === 1 ? lifecycles : lifecycles.toReversed();
  const ownedWhenActive = (active: AppProcess | undefined) => lifecycles.map((one) => (one === active ? [0] : []));

  for (const [active, standby] of [
    [first, second],
    [second, first],
  ]) {
    expect(owned()).toEqual(ownedWhenActive(active));
    const inFlight = [trial.commands.send(), trial.commands.deploy()];
    const goneAt = performance.now();
    await kill(active);
    await Promise.all([trial.commands.deploy(), ...inFlight]);
    expect(performance.now() - goneAt).toBeLessThanOrEqual(takeOverMs);
    await active?.start();
    await trial.waitUntilRecovered();
    expect(owned()).toEqual(ownedWhenActive(standby));
  }
}, 180_000);

test('runtime and delivery recover within 30 s when an instance is killed, one is added and another is killed', async () => {
  const { trial } = context;
  for (const app of ofTwo) {
    const [first, second] = trial.cluster.instances(app);
    await kill(first);
    await trial.waitUntilRecovered();
    // Partitions move, also those of the instance that is already there.
    faults++;
    await Promise.all([trial.cluster.add(app), trial.waitUntilRecovered()]);
    await kill(second);
    await trial.waitUntilRecovered();
    expect(trial.cluster.instances(app).map(({ isRunning }) => isRunning)).toEqual([false, false, true]);
  }
}, 300_000);

test('each app recovers within 30 s when it is killed under load, with nothing lost or duplicated on the log', async () => {
  const { trial } = context;
  for (const app of apps) {
    const running = trial.cluster.instances(app).filter(({ isRunning }) => isRunning);
    const inFlight = trial.commands.send();
    await Promise.all(running.map(kill));
    await Promise.all([...running.map((instance) => instance.start()), trial.waitUntilRecovered()]);
    await inFlight;
  }
  await expectNothingLost(trial, faults);
}, 300_000);
