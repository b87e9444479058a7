import { expectWhole, withTrial } from '../../support/cluster/trial.ts';

/** Three on one machine: less compiling and no second collector thread leave it to the product. */
const javaOptions = ['-XX:TieredStopAtLevel=1', '-XX:-UseG1GC', '-XX:+UseSerialGC', '-Xmx256m'];

const given = withTrial({ stories: 2, brokers: 3, brokerOptions: { javaOptions } });

test('of three brokers each killed and started in turn, the rest carries on with everything', async () => {
  const { trial } = given;
  const { brokers } = trial.cluster.servers;
  for (const broker of brokers) {
    const inFlight = trial.commands.send();
    await broker.kill();
    await trial.recovered();
    await broker.start();
    await trial.recovered();
    await inFlight;
  }
  await expectWhole(trial, 2 * brokers.length);
}, 300_000);
