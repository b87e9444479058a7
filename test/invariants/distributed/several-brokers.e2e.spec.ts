import kafkajs from 'kafkajs';
import '../../../libs/log/kafka/kafkajs/repairs/repair.ts';
import type { AppProcess } from '../../support/cluster/app-process.ts';
import { lightJava } from '../../support/cluster/light-java.ts';
import { expectNothingLost, withTrial } from '../../support/trial/trial.ts';
import type { Trial } from '../../support/trial/trial.ts';

/** Three brokers share one machine. */
const javaOptions = [...lightJava, '-Xmx256m'];
const faults = 2 * 5 + 1;

const context = withTrial({ loads: 2, brokers: 3, brokerOptions: { javaOptions } });

test('all recovers within 30 s when one of three brokers is killed, stopped or frozen, and nothing is lost', async () => {
  const { trial } = context;
  const { brokers } = trial.cluster.servers;
  for (const broker of brokers)
    await withoutBroker(
      trial,
      () => broker.kill(),
      () => broker.start(),
    );
  // A broker that stops hands over its partitions first, except those of a topic that has no copies elsewhere.
  const [first] = brokers;
  await makeTopicWithoutCopies(trial, brokers.length);
  await withoutBroker(
    trial,
    async () => first?.stop(),
    async () => {
      for (const delivery of trial.cluster.instances('delivery')) await killAndStart(delivery);
      await trial.waitUntilRecovered();
      await first?.start();
    },
  );
  // It is the first in the list of every app, and still accepts connections.
  await withoutBroker(
    trial,
    () => first?.freeze(),
    () => first?.thaw(),
  );
  await expectNothingLost(trial, faults);
}, 400_000);

/** Each broker has one partition of it, which no other broker can serve while that one is away. */
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

async function withoutBroker(
  trial: Trial,
  takeAway: () => Promise<void> | void,
  bringBack: () => Promise<void> | void,
): Promise<void> {
  const inFlight = trial.commands.send();
  await takeAway();
  await trial.waitUntilRecovered();
  await bringBack();
  await trial.waitUntilRecovered();
  await inFlight;
}
