// The gateway can read the outcome of an update before the new definition of its endpoint: the answer waits for both.
import { until } from '../../../../../../test/support/until.ts';
import type { Manifest } from '../../../../../domain/component/manifest.ts';
import { LateLog } from '../../../late-log.fake.ts';
import { TestBed } from '../../../test-bed.fake.ts';
import type { Answer } from '../../../test-bed.fake.ts';

const manifest: Manifest = {
  name: 'Late',
  version: '0.0.1',
  type: 'source',
  hooks: [],
  methods: [],
  additionalProps: false,
  props: [{ name: 'http', type: '$.interface.http' }],
};

// Only the gateway follows `alerts`.
const log = new LateLog({ topic: 'sources', followedTopic: 'alerts' });
let bed: TestBed;
beforeAll(async () => {
  bed = await TestBed.start({ log });
  bed.components.set('late', { manifest, run: () => {} });
}, 60_000);
afterAll(() => bed?.stop());

interface Source {
  readonly id: string;
  readonly state: string;
  readonly configured_props: { readonly http: { readonly endpoint_url: string } };
}
const sourceOf = ({ body }: Answer): Source => body.data as Source;

test('an update is answered only once its endpoint has changed', async () => {
  const { id, configured_props } = sourceOf(
    await bed.call('POST', '/v1/sources', { body: { component_code: 'late' } }),
  );
  const path = new URL(configured_props.http.endpoint_url).pathname;
  expect((await bed.send('POST', path)).status).toBe(200);
  log.isLate = true;
  let isAnswered = false;
  const answer = bed.call('PUT', `/v1/sources/${id}`, { body: { active: false } }).finally(() => (isAnswered = true));
  const isShown = async () => sourceOf(await bed.call('GET', `/v1/sources/${id}`)).state === 'inactive';
  await until('the views to show it', async () => log.heldCount > 0 && (await isShown()));
  for (let turn = 0; turn < 100 && !isAnswered; turn++) await new Promise((resolve) => setTimeout(resolve, 1));
  expect(isAnswered).toBe(false);
  log.isLate = false;
  expect((await answer).status).toBe(200);
  expect((await bed.send('POST', path)).status).toBe(404);
});
