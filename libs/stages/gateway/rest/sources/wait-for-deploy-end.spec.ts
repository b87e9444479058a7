// A deploy that is sent again while the first request is still in progress.
import { until } from '../../../../../test/support/until.ts';
import type { Manifest } from '../../../../domain/component/manifest.ts';
import type { FakeFunction } from '../../../../sandbox/sandbox.fake.ts';
import { TestBed } from '../../test-bed.fake.ts';
import type { Answer } from '../../test-bed.fake.ts';

const manifest: Manifest = {
  name: 'Hooked',
  version: '0.0.1',
  type: 'source',
  props: [],
  hooks: ['deploy'],
  methods: [],
  additionalProps: false,
};

let bed: TestBed;
beforeAll(async () => {
  bed = await TestBed.start();
}, 60_000);
afterAll(() => bed?.stop());

interface Source {
  readonly state: string;
}
const deploy = (component_code: string, headers = {}): Promise<Answer> =>
  bed.call('POST', '/v1/sources', { body: { component_code }, headers });
const states = async (): Promise<unknown[]> =>
  ((await bed.call('GET', '/v1/sources')).body.data as Source[]).map(({ state }) => state);

/** Deploys twice with the same key, the second time before `hook` has run, and returns both answers. */
async function deployTwice(component: string, hook: FakeFunction): Promise<Answer[]> {
  const gate = Promise.withResolvers<void>();
  const waiting: FakeFunction = async (call) => {
    await gate.promise;
    return hook(call);
  };
  bed.components.set(component, { manifest, hooks: { deploy: waiting } });
  const headers = { 'idempotency-key': component };
  const first = deploy(component, headers);
  await until('the deploy', async () => (await states()).includes('deploying'));
  const refusals = (): number =>
    bed.log.records('components').filter(({ type }) => type === 'SourceDeployRefused').length;
  const before = refusals();
  let isAnswered = false;
  const again = deploy(component, headers).finally(() => (isAnswered = true));
  await until('the repeat to be recognised', () => refusals() > before);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(isAnswered).toBe(false);
  gate.resolve();
  return Promise.all([first, again]);
}

test('a repeated deploy waits for the process of the first request, and has the same answer', async () => {
  const [first, again] = await deployTwice('slow', ({ console }) => console('deployed'));
  expect([first?.status, again?.status]).toEqual([200, 200]);
  expect(first?.body.data).toMatchObject({ state: 'active', observations: [{ msg: 'deployed' }] });
  expect(again?.body).toEqual(first?.body);
});

test('a repeat of a deploy that is refused meanwhile is refused as well', async () => {
  const [first, again] = await deployTwice('failing', () => {
    throw new TypeError('no such account');
  });
  expect([first?.status, first?.body.code]).toEqual([400, 'hook_failed']);
  const { error, details } = first?.body ?? {};
  expect([again?.status, again?.body]).toMatchObject([
    400,
    { code: 'hook_failed', error, details: { source_id: details?.['source_id'] } },
  ]);
});
