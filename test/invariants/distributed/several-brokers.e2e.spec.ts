import { expectWhole, withTrial } from '../../support/cluster/trial.ts';
import type { Trial } from '../../support/cluster/trial.ts';

/** Three on one machine: less compiling and no second collector thread leave it to the product. */
const javaOptions = ['-XX:TieredStopAtLevel=1', '-XX:-UseG1GC', '-XX:+UseSerialGC', '-Xmx256m'];
const faults = 2 * 5;

const given = withTrial({ stories: 2, brokers: 3, brokerOptions: { javaOptions } });

test('of three brokers each killed, one stopped and one frozen in turn, the rest carries on with everything', async () => {
  const { trial } = given;
  const { brokers } = trial.cluster.servers;
  for (const broker of brokers)
    await without(
      trial,
      () => broker.kill(),
      () => broker.start(),
    );
  // Its partitions move while it is still there to be asked for them.
  const [first] = brokers;
  await without(
    trial,
    async () => first?.stop(),
    async () => first?.start(),
  );
  // Everybody has it first in their list, and it accepts connections.
  await without(
    trial,
    () => first?.freeze(),
    () => first?.thaw(),
  );
  await expectWhole(trial, faults);
}, 400_000);

async function without(
  trial: Trial,
  takeAway: () => Promise<void> | void,
  bringBack: () => Promise<void> | void,
): Promise<void> {
  const inFlight = trial.commands.send();
  await takeAway();
  await trial.recovered();
  await bringBack();
  await trial.recovered();
  await inFlight;
}
