import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import type { StageName } from '../../../domain/flow.ts';
import { PortError } from '../../../domain/port-error.ts';
import type { Membership } from '../../ownership.ts';
import { marksTopic } from '../../appending/access.ts';
import { Link } from '../kafkajs/client/link.ts';
import { KafkaNames } from '../kafka-names.ts';
import { againstKafka } from '../fixture/brokers.ts';
import { breakingDial } from '../fixture/breaking-dial.ts';
import { KafkaOwnership } from './kafka-ownership.ts';

/** A killed member is noticed after its session's 6 s. */
const slowMs = 40_000;
/** Long enough for a few heartbeats, by which every member would have learned of a change. */
const heartbeatsMs = 1_500;

againstKafka('ownership by consumer groups', (brokers) => {
  jest.setTimeout(slowMs);
  const partitions = 8;
  let topicPrefix = '';
  const memberships: Membership[] = [];
  const link = new Link({ brokers, clientId: 'spec' });
  const admin = link.kafka.admin();
  beforeEach(async () => {
    topicPrefix = `test-${randomUUID().slice(0, 8)}.`;
    await createTopics();
  });
  afterEach(async () => {
    await Promise.all(memberships.splice(0).map((membership) => membership.leave()));
    await admin.deleteTopics({ topics: topics() });
  });
  afterAll(() => link.sever());

  /** The topics that tell brokers and their tools which partitions are shared. */
  const topics = (): string[] =>
    (['runtime', 'lifecycle'] as const).map((stage) => new KafkaNames(topicPrefix).topic(marksTopic(stage)));
  const createTopics = (): Promise<boolean> =>
    admin.createTopics({ topics: topics().map((topic) => ({ topic, numPartitions: partitions })) });

  interface Process {
    readonly name: string;
    owned: readonly number[];
    readonly changes: (readonly number[])[];
    membership: Membership;
  }

  async function start(
    name: string,
    change: (call: number) => Promise<void> = async () => {},
    stage: StageName = 'runtime',
  ): Promise<Process> {
    const ownership = new KafkaOwnership({ brokers, partitions, topicPrefix, instanceId: name });
    const started: Omit<Process, 'membership'> & { membership?: Membership } = { name, owned: [], changes: [] };
    const membership = await ownership.follow(stage, async (owned) => {
      started.changes.push(owned);
      await change(started.changes.length);
      started.owned = owned;
    });
    memberships.push(membership);
    return Object.assign(started, { membership });
  }

  const all = Array.from({ length: partitions }, (_, i) => i);
  const isSharedOut = (processes: readonly Process[]): boolean =>
    JSON.stringify(processes.flatMap(({ owned }) => owned).toSorted((a, b) => a - b)) === JSON.stringify(all) &&
    processes.every(({ owned }) => owned.length >= Math.floor(partitions / processes.length)) &&
    processes.every(({ owned }) => owned.length <= Math.ceil(partitions / processes.length));

  async function waitUntil(what: string, isMet: () => boolean): Promise<void> {
    const deadline = Date.now() + slowMs - 5_000;
    while (!isMet()) {
      if (Date.now() > deadline) throw new Error(`not in time: ${what}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  test('three members share eight partitions, each with one owner, and those that stay keep what they have', async () => {
    const one = await start('one');
    await waitUntil('the first has all', () => isSharedOut([one]));
    const two = await start('two');
    const three = await start('three');
    await waitUntil('three share', () => isSharedOut([one, two, three]));
    const [ofOne, ofTwo] = [one.owned, two.owned];
    await three.membership.leave();
    await waitUntil('two share', () => isSharedOut([one, two]));
    expect(one.owned).toEqual(expect.arrayContaining([...ofOne]));
    expect(two.owned).toEqual(expect.arrayContaining([...ofTwo]));
  });

  test('a partition is handed on only after its owner has drained it', async () => {
    let drained: () => void = () => {};
    const draining = new Promise<void>((resolve) => (drained = resolve));
    const one = await start('one', (call) => (call === 1 ? Promise.resolve() : draining));
    await waitUntil('the first has all', () => isSharedOut([one]));
    const two = await start('two');
    await waitUntil('the first is told to give some up', () => one.changes.length > 1);
    const keptPartitions = one.changes.at(-1) ?? [];
    await new Promise((resolve) => setTimeout(resolve, heartbeatsMs));
    expect(two.owned).toEqual([]);
    drained();
    await waitUntil('the second has them', () => isSharedOut([one, two]));
    expect(one.owned).toEqual(keptPartitions);
  });

  test("a killed member's partitions go to the others", async () => {
    const connections = breakingDial();
    const killed = new KafkaOwnership({
      brokers,
      partitions,
      topicPrefix,
      instanceId: 'killed',
      dial: connections.dial,
    });
    memberships.push(await killed.follow('runtime', async () => {}));
    const other = await start('other');
    connections.refuse(true, 'all');
    await waitUntil('the other has all', () => isSharedOut([other]));
    expect(other.changes.at(-1)).toEqual(all);
  });

  test('a member that lost a partition gives back all of them and gets a new assignment', async () => {
    const one = await start('one');
    await waitUntil('it has all', () => isSharedOut([one]));
    await one.membership.reportLoss(new PortError('fenced', 'another owner'));
    await waitUntil('it has all again', () => isSharedOut([one]));
    expect(one.changes).toEqual([all, [], all]);
  });

  test('a disconnected member keeps its partitions and rejoins by itself', async () => {
    const connections = breakingDial();
    const ownership = new KafkaOwnership({
      brokers,
      partitions,
      topicPrefix,
      instanceId: 'cut',
      dial: connections.dial,
    });
    const changes: (readonly number[])[] = [];
    memberships.push(await ownership.follow('runtime', async (owned) => void changes.push(owned)));
    connections.refuse(true, 'all');
    await new Promise((resolve) => setTimeout(resolve, heartbeatsMs));
    connections.refuse(false);
    const other = await start('other');
    await waitUntil('both share', () => other.owned.length === 4);
    expect(changes.map((owned) => owned.length)).toEqual([8, 4]);
  });

  test('a stage with one partition is active in one of two processes, and then in the other', async () => {
    const [one, two] = await Promise.all([start('one', undefined, 'lifecycle'), start('two', undefined, 'lifecycle')]);
    await waitUntil('one is active', () => one.owned.length + two.owned.length > 0);
    await new Promise((resolve) => setTimeout(resolve, heartbeatsMs));
    const [active, standby] = one.owned.length > 0 ? [one, two] : [two, one];
    expect([active.owned, standby.owned]).toEqual([[0], []]);
    await active.membership.leave();
    await waitUntil('the other is active', () => standby.owned.length > 0);
    expect(standby.changes.filter((owned) => owned.length > 0)).toEqual([[0]]);
  });
});
