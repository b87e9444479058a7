import { topics } from '../../../domain/flow.ts';
import type { Appends, Reads } from '../../../domain/flow.ts';
import { erasableTopics } from '../../../domain/messages-of.ts';
import type { MessagesOf, RecordsOn, TopicOf } from '../../../domain/messages-of.ts';
import { recordOf, samples } from '../../../domain/record/samples.fake.ts';
import type { OutgoingOn } from '../../../log/log.ts';
import { areFromTopic } from './page-topic.ts';

/** The marked lines below must not compile: the compiler reports when one of them does. */
const placed = (topic: 'sources' | 'runs', type: string, data: unknown) => ({
  ...recordOf(type, data),
  topic,
  partition: 0,
  offset: 7,
});

test('the topic of a list is that of its first record, and an empty list has none', () => {
  const records = [placed('runs', 'RunFinished', samples.runs.RunFinished)] as RecordsOn<'runs' | 'sources'>;
  expect([areFromTopic('runs', records), areFromTopic('sources', records), areFromTopic('runs', [])]).toEqual([
    true,
    false,
    false,
  ]);
  // @ts-expect-error a definition has no runId
  expect(records[0]?.data?.runId).toBe('run_1');
  if (areFromTopic('runs', records)) expect(records[0]?.data.runId).toBe('run_1');
});

test('the data of a record that may be a tombstone cannot be read unchecked', () => {
  const [gone] = [placed('sources', 'SourceDefined', undefined)] as RecordsOn<'sources'>;
  // @ts-expect-error the data may be absent
  expect(() => gone?.type === 'SourceDefined' && gone.data.sourceId).toThrow(TypeError);
  expect(erasableTopics.filter((topic) => !topics[topic].compacted)).toEqual([]);
});

test('a message can be sent only to its own topic, and only by a stage that writes there', () => {
  const record = recordOf('RunFinished', samples.runs.RunFinished) as MessagesOf['runs'];
  const topic: TopicOf<'RunFinished'> = 'runs';
  const right: OutgoingOn<Appends<'runtime'>> = { topic, partition: 0, record };
  // @ts-expect-error channels holds no runs
  const elsewhere: OutgoingOn<Appends<'runtime'>> = { topic: 'channels', partition: 0, record };
  // @ts-expect-error delivery writes no runs
  const another: OutgoingOn<Appends<'delivery'>> = { topic, partition: 0, record };
  // @ts-expect-error delivery reads no runs
  const read: Reads<'delivery'> = topic;
  expect([right.topic, elsewhere.record, another.record, read]).toEqual(['runs', record, record, 'runs']);
});
