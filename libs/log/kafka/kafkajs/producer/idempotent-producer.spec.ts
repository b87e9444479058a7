import type { Cluster } from '../private-api.ts';
import type { Broker } from '../kafka-protocol.ts';
import { Link } from '../client/link.ts';
import type { OutboundRecord } from './outbound-record.ts';
import { IdempotentProducer } from './idempotent-producer.ts';

type ProduceRequest = Parameters<Broker['produce']>[0];
type Answer = () => Promise<void>;

const row = (partition: number): OutboundRecord => ({
  topic: 't',
  partition,
  key: 'k',
  value: '{}',
  headers: {},
  timestamp: '0',
  bytes: 10,
});

/** Errors as kafkajs makes them from a broker's answer. */
const refusal = (type: string, retriable: boolean): Error =>
  Object.assign(new Error(type), { name: 'KafkaJSProtocolError', type, retriable });
const movedError = (): Error => refusal('NOT_LEADER_FOR_PARTITION', true);
const busyError = (): Error => refusal('CONCURRENT_TRANSACTIONS', true);
const closedError = (): Error =>
  Object.assign(new Error('closed'), { name: 'KafkaJSConnectionClosedError', retriable: true });

/** Brokers that record each request, give the answers that were set, and accept everything after those. */
class World {
  readonly requests: string[] = [];
  readonly leaders = new Map<number, string>([
    [0, 'a'],
    [1, 'b'],
  ]);
  readonly answers = new Map<string, Answer[]>();
  /** The sequences of the appended batches by partition, repeated if a batch was appended twice. */
  readonly appended = new Map<number, number[]>();

  readonly cluster: Cluster = {
    connect: async () => {},
    isConnected: () => true,
    removeBroker: () => {},
    addMultipleTargetTopics: async () => {},
    refreshMetadata: async () => void this.requests.push('metadata'),
    refreshMetadataIfNecessary: async () => {},
    findLeaderForPartitions: (_, partitions) =>
      Object.fromEntries(partitions.map((partition) => [this.leaders.get(partition) ?? '-1', [partition]])),
    findBroker: async ({ nodeId }) => this.#broker(nodeId),
    findGroupCoordinator: async () => this.#broker('coordinator'),
    findControllerBroker: async () => this.#broker('any'),
  };

  async producer(transactionalId?: string): Promise<IdempotentProducer> {
    const link = new Link({ brokers: ['127.0.0.1:1'], clientId: 'spec' });
    const producer = new IdempotentProducer(link, this.cluster, { topics: ['t'] }, transactionalId);
    await producer.start();
    this.requests.length = 0;
    return producer;
  }

  /** Sets the next answers to the requests that `to` names. */
  answer(to: string, ...answers: readonly Answer[]): void {
    this.answers.set(to, [...answers]);
  }

  #broker(nodeId: string): Broker {
    const ask = async (what: string): Promise<void> => {
      this.requests.push(`${nodeId} ${what}`);
      await this.answers.get(`${nodeId} ${what}`)?.shift()?.();
    };
    return {
      connectionPool: { send: async () => ({ outcome: 'none', producerId: '7', producerEpoch: 0 }) },
      initProducerId: async () => {
        await ask('init');
        return { producerId: '7', producerEpoch: 0 };
      },
      addPartitionsToTxn: () => ask('join'),
      endTxn: () => ask('end'),
      produce: (request: ProduceRequest) => this.#produce(request, ask),
    } as unknown as Broker;
  }

  async #produce({ topicData }: ProduceRequest, ask: (what: string) => Promise<void>) {
    const partitions = topicData.flatMap((topic) => topic.partitions);
    const append = (): void => {
      for (const { partition, firstSequence } of partitions) {
        const sequences = this.appended.get(partition) ?? [];
        this.appended.set(partition, [...sequences, firstSequence]);
      }
    };
    await ask('produce');
    append();
    const answered = partitions.map(({ partition }) => ({ partition, baseOffset: '5' }));
    return { topics: [{ topicName: 't', partitions: answered }] };
  }
}

const no =
  (error: Error): Answer =>
  () =>
    Promise.reject(error);
const after =
  (ms: number): Answer =>
  () =>
    new Promise((resolve) => setTimeout(resolve, ms));

test('while one broker refuses, batches pending at another broker are not sent again', async () => {
  const world = new World();
  const producer = await world.producer();
  world.answer('a produce', no(movedError()));
  world.answer('b produce', after(50));
  expect(await producer.send([row(0), row(1), row(0)])).toEqual([5, 5, 6]);
  expect(world.requests.filter((asked) => asked === 'b produce')).toHaveLength(1);
  expect(Object.fromEntries(world.appended)).toEqual({ 0: [0], 1: [0] });
});

test('an acknowledged batch is not sent again when its partition moves', async () => {
  const world = new World();
  const producer = await world.producer();
  world.answer('b produce', async () => {
    world.leaders.set(0, 'b');
    throw movedError();
  });
  await producer.send([row(0), row(1)]);
  expect(Object.fromEntries(world.appended)).toEqual({ 0: [0], 1: [0] });
});

test('a batch without an answer is resent with the same sequence number, also to a new leader', async () => {
  const world = new World();
  const producer = await world.producer();
  world.answer('a produce', async () => {
    world.leaders.set(0, 'c');
    throw closedError();
  });
  await producer.send([row(0), row(0)]);
  await producer.send([row(0)]);
  expect(world.requests).toEqual(['a produce', 'metadata', 'c produce', 'c produce']);
  expect(world.appended.get(0)).toEqual([0, 2]);
});

test('a refusal that a retry cannot change is reported at once', async () => {
  const world = new World();
  const producer = await world.producer();
  world.answer('a produce', no(refusal('INVALID_PRODUCER_EPOCH', false)));
  await expect(producer.send([row(0)])).rejects.toMatchObject({ type: 'INVALID_PRODUCER_EPOCH' });
  expect(world.requests).toEqual(['a produce']);
});

test('a coordinator still ending the last transaction is asked again at the same broker', async () => {
  const world = new World();
  const producer = await world.producer('id');
  world.answer('coordinator join', no(busyError()), no(busyError()));
  world.answer('coordinator end', no(busyError()));
  await producer.addPartitions([row(0)]);
  await producer.commit();
  expect(world.requests).toEqual([...Array(3).fill('coordinator join'), ...Array(2).fill('coordinator end')]);
});

test('a moved coordinator is looked up again; a commit without an answer is not repeated', async () => {
  const world = new World();
  const producer = await world.producer('id');
  world.answer('coordinator end', no(refusal('NOT_COORDINATOR_FOR_GROUP', true)), no(closedError()));
  await producer.addPartitions([row(0)]);
  await expect(producer.commit()).rejects.toMatchObject({ name: 'KafkaJSConnectionClosedError' });
  expect(world.requests.filter((asked) => asked === 'coordinator end')).toHaveLength(2);
});

test('a producer that was ended sends nothing again', async () => {
  const world = new World();
  const producer = await world.producer();
  world.answer('a produce', async () => {
    producer.link.sever();
    throw movedError();
  });
  await expect(producer.send([row(0)])).rejects.toMatchObject({ type: 'NOT_LEADER_FOR_PARTITION' });
  expect(world.requests).toEqual(['a produce']);
});
