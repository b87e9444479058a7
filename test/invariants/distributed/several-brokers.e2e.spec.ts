import kafkajs from 'kafkajs';
import '../../../libs/log/kafka/kafkajs/repairs/repair.ts';
import type { AppProcess } from '../../support/cluster/app-process.ts';
import { expectWhole, withTrial } from '../../support/trial/trial.ts';
import type { Trial } from '../../support/trial/trial.ts';

/** Three on one machine: less compiling and no second collector thread leave it to the product. */
const javaOptions = ['-XX:TieredStopAtLevel=1', '-XX:-UseG1GC', '-XX:+UseSerialGC', '-Xmx256m'];
const faults = 2 * 5 + 1;

const given = withTrial({ stories: 2, brokers: 3, brokerOptions: { javaOptions } });

test('of three brokers each killed, one stopped and one frozen in turn, the rest carries on with everything, an app that starts meanwhile too', async () => {
  const { trial } = given;
  const { brokers } = trial.cluster.servers;
  for (const broker of brokers)
    await without(
      trial,
      () => broker.kill(),
      () => broker.start(),
    );
  // Its partitions move while it is still there to be asked for them, but for those of somebody who keeps no copies.
  const [first] = brokers;
  await makeTopicWithoutCopies(trial, brokers.length);
  await without(
    trial,
    async () => first?.stop(),
    async () => {
      for (const delivery of trial.cluster.instances('delivery')) await killAndStart(delivery);
      await trial.recovered();
      await first?.start();
    },
  );
  // Everybody has it first in their list, and it accepts connections.
  await without(
    trial,
    () => first?.freeze(),
    () => first?.thaw(),
  );
  await expectWhole(trial, faults);
}, 400_000);

/** Each broker has a partition of it, and while that one is away nobody has. */
async function makeTopicWithoutCopies({ cluster }: Trial, numPartitions: number): Promise<void> {
  const { KAFKA_BROKERS: brokers = '' } = cluster.environment;
  const admin = new kafkajs.Kafka({ brokers: brokers.split(','), logLevel: kafkajs.logLevel.NOTHING }).admin();
  await admin.connect();
  await admin.createTopics({ topics: [{ topic: 'somebody-elses', numPartitions, replicationFactor: 1 }] });
  await admin.disconnect();
}

async function killAndStart(app: AppProcess): Promise<void> {
  await app.kill();
  await app.start();
}

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
