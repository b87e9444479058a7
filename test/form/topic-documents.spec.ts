import { topics } from '../../libs/domain/flow.ts';
import type { LogRecord } from '../../libs/domain/message.ts';
import { encode } from '../../libs/log/appending/encoding.ts';
import { outboundOf } from '../../libs/log/kafka/encoding/cloud-event.ts';
import type { AppendTag } from '../../libs/log/kafka/encoding/cloud-event.ts';
import { topicDocuments, committedDocument } from './topic-documents.ts';
import { headers, readCatalog } from './topics/catalog.ts';

const record: LogRecord = {
  id: 'rec_8Zx0PqLm3RtYw5Vb',
  type: 'EventEmitted',
  version: 1,
  key: 'dc_1',
  data: {},
  at: 0,
  workspace: 'o_4rTq9KsWm1XcVb7N',
  correlationId: 'req_2Lk8JhGf5DsAq3We/key_9Nb3VcXz1LkJh5Gf',
  causationId: 'rec_7Hy6TgRf4EdWs2Qa',
};

function writtenHeaders(of: LogRecord, tag?: AppendTag): string[] {
  const [row] = encode([{ topic: 'channels', partition: 0, record: of }]);
  return row === undefined ? [] : Object.keys(outboundOf(row, 'channels', tag).headers);
}

const documents = await topicDocuments();
const catalog = readCatalog();

test.each([...documents])('%s matches the flow and the types; `npm run topics` regenerates it', (path, text) => {
  expect(committedDocument(path)).toBe(text);
});

test('the documented headers are those of a written record, in order', () => {
  expect(headers.map(({ name }) => name)).toEqual(writtenHeaders(record, { generation: 3, batch: 1204 }));
});

test('only headers that a minimal record or one of an earlier program lacks are documented as optional', () => {
  const least = { ...record, workspace: '', correlationId: '', causationId: '' };
  const earlier = writtenHeaders(least).filter((name) => name !== 'ce_traceparent');
  expect(headers.filter(({ optional }) => !optional).map(({ name }) => name)).toEqual(earlier);
});

test('the catalog lists every topic, and a message on several topics has the same schema on each', () => {
  expect(catalog.topics.map(({ name }) => name)).toEqual(Object.keys(topics));
  const shapes = new Map<string, string>();
  for (const { type, data } of catalog.topics.flatMap(({ messages }) => messages)) {
    const text = JSON.stringify(data);
    expect([type, shapes.get(type) ?? text]).toEqual([type, text]);
    shapes.set(type, text);
  }
  expect(shapes.size).toBeGreaterThan(30);
});

test.each([
  ['EventEmitted', 'event', {}],
  ['EventEmitted', 'channel', { type: 'string', description: "'' is the default channel." }],
  ['DeliveryAttempted', 'status', { type: ['number', 'null'] }],
  ['WebhookCreated', 'signingKey', { $ref: '#/components/schemas/Sealed' }],
  ['WebhookCreated', 'ordered', { type: 'boolean' }],
  ['RunFinished', 'outcome', { enum: ['failed', 'refused', 'succeeded'] }],
  ['SourceDeployed', 'console', { type: 'array', items: { $ref: '#/components/schemas/ConsoleLine' } }],
])('the schema of %s has the type of the property %s', (type, property, schema) => {
  const messages = catalog.topics.flatMap((topic) => topic.messages);
  expect(messages.find((message) => message.type === type)?.data.properties?.[property]).toMatchObject(schema);
});
