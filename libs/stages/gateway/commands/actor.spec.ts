// Actors: every record that follows from a request names who caused it.
import { until } from '../../../../test/support/until.ts';
import type { Manifest } from '../../../domain/component/manifest.ts';
import type { LogRecord } from '../../../domain/message.ts';
import { keyIdOf } from '../../../domain/workspace/api-keys/api-keys.ts';
import { hashApiKey } from '../control/api-keys.ts';
import { TestBed } from '../test-bed.fake.ts';

const manifest: Manifest = {
  name: 'Echo',
  version: '0.0.1',
  type: 'source',
  hooks: [],
  methods: [],
  additionalProps: false,
  props: [{ name: 'http', type: '$.interface.http', customResponse: false }],
};

let bed: TestBed;
let keyId: string;
let sourceId: string;
let path: string;
beforeAll(async () => {
  bed = await TestBed.start();
  bed.components.set('echo', { manifest, run: ({ emit }) => emit({ event: {}, channel: '' }) });
  keyId = keyIdOf(hashApiKey(bed.apiKey));
  const { data } = (await bed.call('POST', '/v1/sources', { body: { component_code: 'echo' } })).body;
  const source = data as { id: string; configured_props: { http: { endpoint_url: string } } };
  sourceId = source.id;
  path = new URL(source.configured_props.http.endpoint_url).pathname;
});
afterAll(() => bed?.stop());

const actors = (records: readonly LogRecord[]): unknown[] => [...new Set(records.map(({ actor }) => actor))];

test('every record that follows from a request has the id of its API key as the actor', async () => {
  await bed.call('POST', `/v1/sources/${sourceId}/run`, { body: { event: {} }, query: { wait: '1' } });
  const deployed = (['commands', 'components', 'sources'] as const).flatMap((topic) => bed.log.records(topic));
  expect(actors(deployed.filter(({ key }) => key === sourceId))).toEqual([keyId]);
  const events = ['triggers', 'channels', 'runs'] as const;
  expect(actors(events.flatMap((topic) => bed.log.records(topic)))).toEqual([keyId]);
});

test('requests to an endpoint, which have no key, have the gateway as their actor', async () => {
  const before = bed.log.records('runs').length;
  await bed.send('POST', path, { body: {} });
  await until('the run', () => bed.log.records('runs').length > before);
  expect(actors(bed.log.records('channels').slice(-1))).toEqual(['gateway']);
});

test('records without a request have the stage that wrote the first of them as their actor', async () => {
  expect(bed.log.records('commands')[0]).toMatchObject({ type: 'CreateWorkspace', actor: 'gateway' });
  bed.settings.alerts.forStage('delivery').raise('malformed_record', 'actor', 'Said by a test.');
  await until('the alert', () => bed.log.records('alerts').some(({ key }) => key.includes('actor')));
  expect(bed.log.records('alerts').find(({ key }) => key.includes('actor'))?.actor).toBe('delivery');
});
