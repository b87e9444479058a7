import { samples } from '../../../../domain/record/samples.fake.ts';
import type { FollowedTopic } from '../../../../domain/flow.ts';
import type { RecordOn } from '../../../../domain/messages-of.ts';
import { DeletedThings } from './deleted-things.ts';
import { Endpoints } from './endpoints.ts';

const { SourceDefined } = samples.sources;
const record = (type: string, key: string, data: unknown, partition = 0) =>
  ({
    id: 'rec_1',
    type,
    version: 1,
    key,
    data,
    at: 1,
    workspace: 'o_1',
    correlationId: 'c',
    causationId: 'c',
    topic: type.startsWith('Webhook') ? 'listeners' : 'sources',
    partition,
    offset: 0,
  }) as RecordOn<FollowedTopic>;
const defined = (over: object) => record('SourceDefined', 'dc_1', { ...SourceDefined, ...over });

test('finds the source of an endpoint from its definition until its deletion', () => {
  const endpoints = new Endpoints(1);
  endpoints.accept(defined({ http: null, apphook: null }));
  expect(endpoints.find('e')).toBeUndefined();
  endpoints.accept(defined({ http: { customResponse: true }, apphook: null }));
  expect(endpoints.find('e')).toEqual({
    sourceId: 'dc_1',
    workspace: 'o_1',
    revision: 1,
    hasHttpInterface: true,
    customResponse: true,
    rateLimit: 1,
  });
  endpoints.accept(record('SourceDefined', 'dc_1', undefined));
  expect(endpoints.find('e')).toBeUndefined();
});

test('is complete once lifecycle has written the definitions of every partition', () => {
  const endpoints = new Endpoints(2);
  const folded = (partition: number): void =>
    endpoints.accept(record('DefinitionsFolded', 'folded', { format: 1 }, partition));
  folded(0);
  expect(endpoints.isComplete).toBe(false);
  folded(1);
  expect(endpoints.isComplete).toBe(true);
});

test('remembers only the 10,000 things deleted last', () => {
  const deleted = new DeletedThings();
  for (let n = 0; n < 10_001; n++)
    deleted.accept(record('WebhookDeleted', `wh_${n}`, { webhookId: `wh_${n}`, createdAt: n }));
  expect([deleted.find('wh_0'), deleted.find('wh_10000')]).toEqual([
    undefined,
    { workspace: 'o_1', createdAt: 10_000 },
  ]);
});
