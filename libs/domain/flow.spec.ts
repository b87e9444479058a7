import { flow, inputsOf, partitionCount, partitionOf, signedTopics, stageNames, topicNames, topics } from './flow.ts';
import type { StageName, TopicName } from './flow.ts';

const requestTopics = topicNames.filter((name) => topics[name].writer === 'many');
const readersOf = (name: TopicName): StageName[] =>
  stageNames.filter((stage) => [...flow[stage].reads, ...flow[stage].tails].includes(name));

test.each(topicNames)('%s has exactly one writing stage, unless it takes requests', (name) => {
  const writers = stageNames.filter((stage) => flow[stage].writes.includes(name));
  expect(writers).toEqual(topics[name].writer === 'many' ? [] : [topics[name].writer]);
});

test('the request topics are commands, triggers and requests, and only they take requests', () => {
  expect(requestTopics).toEqual(['commands', 'triggers', 'requests']);
  for (const stage of stageNames) expect(requestTopics).toEqual(expect.arrayContaining([...flow[stage].requests]));
});

test.each(requestTopics)('%s is requested by some stage and carried out by exactly one', (name) => {
  expect(stageNames.filter((stage) => flow[stage].requests.some((request) => request === name))).not.toEqual([]);
  // Audit reads all topics that keep their history, and carries out no requests.
  expect(readersOf(name).filter((stage) => stage !== 'audit')).toHaveLength(1);
});

const ownMemory = ['state', 'answers', 'saved', 'bundles', 'stores', 'indexes'] as const satisfies TopicName[];
/** Proofs look up records in these topics, and no stage follows them. */
const evidence = ['checkpoints', 'trees'] as const satisfies TopicName[];
const unread: readonly TopicName[] = [...ownMemory, ...evidence];
const outputs = topicNames.filter((name) => !name.startsWith('marks.') && !unread.includes(name));

test.each(outputs)('%s is read by a stage', (name) => {
  expect(readersOf(name)).not.toEqual([]);
});

test.each(evidence)('%s is looked up by the gateway', (name) => {
  expect(flow.gateway.looksUp).toContain(name);
  expect(readersOf(name)).toEqual([]);
});

test.each(ownMemory)('%s is the memory of its writer: no other stage reads it', (name) => {
  expect(readersOf(name)).toEqual([]);
  expect(topics[name].compacted).toBe(true);
});

test('the signed topics are those that keep their history, except those that audit writes', () => {
  const historyTopics = topicNames.filter((name) => !topics[name].compacted && topics[name].writer !== 'audit');
  expect([...signedTopics].sort()).toEqual([...historyTopics].sort());
});

test('a stage that writes owns partitions and has a mark of its own; other stages have no mark', () => {
  for (const stage of stageNames) {
    const marks = flow[stage].writes.filter((name) => name.startsWith('marks.'));
    expect(marks).toEqual(flow[stage].owns === 'nothing' ? [] : [`marks.${stage}`]);
    if (flow[stage].owns === 'nothing') expect(flow[stage].writes).toEqual([]);
  }
});

test('an owner of partitions by source writes partitioned topics only, so that two owners never write one partition', () => {
  for (const stage of stageNames.filter((name) => flow[name].owns === 'emitter')) {
    expect(flow[stage].writes.map((name) => topics[name].partitions)).not.toContain('one');
  }
});

test('control topics have one partition, and topics of sources have the common count', () => {
  expect(Object.fromEntries(topicNames.map((name) => [name, partitionCount(name, 8)]))).toEqual({
    commands: 1,
    triggers: 8,
    requests: 8,
    workspaces: 1,
    keys: 1,
    components: 8,
    saves: 8,
    listeners: 1,
    connections: 1,
    sources: 8,
    saved: 8,
    webhooks: 1,
    subscriptions: 8,
    accounts: 1,
    answers: 1,
    alerts: 1,
    retention: 1,
    schedules: 8,
    channels: 8,
    runs: 8,
    pending: 8,
    hooks: 8,
    state: 8,
    bundles: 8,
    stores: 8,
    deliveries: 8,
    cursors: 8,
    replays: 8,
    indexes: 8,
    checkpoints: 1,
    trees: 1,
    'marks.lifecycle': 1,
    'marks.scheduler': 8,
    'marks.runtime': 8,
    'marks.delivery': 8,
    'marks.audit': 1,
  });
});

test.each([
  ['', 2_166_136_261],
  ['a', 3_826_002_220],
  ['foobar', 3_214_735_720],
])('the hash of %j is the published FNV-1a vector', (text, hash) => {
  expect(partitionOf(text, 2 ** 32)).toBe(hash);
});

test.each([
  ['dc_0000000000000000', 8, 5],
  ['dc_0000000000000000', 12, 9],
  ['dc_k3X9aQ0bTz7LmP2w', 8, 7],
  ['dc_5fGhJ1kL8mN4pQ6r', 12, 9],
])('the partition of %s among %i is %i forever', (id, count, partition) => {
  expect(partitionOf(id, count)).toBe(partition);
});

test('sources spread evenly over the partitions', () => {
  const counts = Array.from({ length: 8 }, () => 0);
  for (let i = 0; i < 8000; i++) {
    const partition = partitionOf(`dc_${String(i).padStart(16, '0')}`, 8);
    counts[partition] = (counts[partition] ?? 0) + 1;
  }
  expect(Math.min(...counts)).toBeGreaterThan(800);
  expect(Math.max(...counts)).toBeLessThan(1200);
});

test('the inputs of a stage are all partitions of the topics that it reads, each of them once', () => {
  const inputs = inputsOf('runtime', 3).map(({ topic, partition }) => `${topic}/${partition}`);
  expect(inputs.slice(0, 4)).toEqual(['sources/0', 'sources/1', 'sources/2', 'subscriptions/0']);
  expect(inputs.filter((input) => input.startsWith('keys/'))).toEqual(['keys/0']);
  expect(new Set(inputs).size).toBe(inputs.length);
});
