import type { Manifest } from '../../../../../domain/component/manifest.ts';
import { callLostName, callRefusedName } from '../../../../../domain/call/call.ts';
import { FakeEnd } from '../../../../../sandbox/sandbox.fake.ts';
import { TestBed } from '../../../test-bed.fake.ts';
import type { Answer } from '../../../test-bed.fake.ts';

const manifest: Manifest = {
  name: 'Sampled',
  version: '0.0.1',
  type: 'source',
  props: [],
  hooks: [],
  methods: [],
  additionalProps: false,
  sampleEmit: true,
};
const hanging = Promise.withResolvers<void>();

let bed: TestBed;
beforeAll(async () => {
  bed = await TestBed.start();
  const { sampleEmit: _, ...older } = manifest;
  bed.components.set('sampled', { manifest, sample: ({ emit }) => emit({ event: { id: 1 } }) });
  bed.components.set('none', { manifest: { ...manifest, sampleEmit: false } });
  bed.components.set('older', { manifest: older });
  bed.components.set('slow', { manifest, sample: () => hanging.promise });
  bed.components.set('throwing', {
    manifest,
    sample: () => {
      throw Object.assign(new Error('none today'), { name: callRefusedName });
    },
  });
  bed.components.set('lost', {
    manifest,
    sample: () => {
      throw new FakeEnd('lost');
    },
  });
});
afterAll(async () => {
  hanging.resolve();
  await bed?.stop();
});

async function deploy(component_code: string): Promise<{ readonly id: string; readonly has_sample: boolean | null }> {
  const answer = await bed.call('POST', '/v1/sources', { body: { component_code } });
  return answer.body.data as { id: string; has_sample: boolean | null };
}

const sample = (id: string): Promise<Answer> => bed.call('POST', `/v1/sources/${id}/sample`);

test('answers a sample request with its run, and marks the event as a sample', async () => {
  const { id, has_sample } = await deploy('sampled');
  const answer = await sample(id);
  expect([has_sample, answer.status]).toEqual([true, 200]);
  expect(answer.body.data).toMatchObject({
    source_id: id,
    kind: 'sample',
    outcome: 'succeeded',
    emitted: [expect.stringMatching(/-0$/)],
  });
  const events = await bed.call('GET', `/v1/sources/${id}/event_summaries`);
  expect(events.body.data).toMatchObject([{ event: { id: 1 }, metadata: { name: '', sample: true } }]);
  const listed = await bed.call('GET', `/v1/sources/${id}/runs`, { query: { kind: 'sample' } });
  expect(listed.body.data).toEqual([answer.body.data]);
});

test('answers 409 if the component has no sampleEmit, and runs it if that is unknown', async () => {
  const [none, older] = [await deploy('none'), await deploy('older')];
  expect(await sample(none.id)).toMatchObject({ status: 409, body: { code: 'no_sample' } });
  expect((await bed.call('GET', `/v1/sources/${none.id}/runs`, { query: { kind: 'sample' } })).body.data).toEqual([]);
  const answer = await sample(older.id);
  expect([none.has_sample, older.has_sample, answer.status]).toEqual([false, null, 200]);
  expect(answer.body.data).toMatchObject({ outcome: 'failed', error: { message: 'The component has no sampleEmit' } });
});

test('answers with the failed run, whatever name the error of the component has', async () => {
  const answer = await sample((await deploy('throwing')).id);
  expect([answer.status, answer.body.data]).toMatchObject([
    200,
    { outcome: 'failed', error: { name: callRefusedName } },
  ]);
});

test('answers 503 to a lost call and says that it is never repeated', async () => {
  const { id } = await deploy('lost');
  const answer = await sample(id);
  expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([503, 'call_lost', undefined]);
  expect(answer.body.error).toMatch(/never repeated/);
  const run = await bed.call('GET', `/v1/sources/${id}/runs/${String(answer.body.details?.['run_id'])}`);
  expect(run.body.data).toMatchObject({ kind: 'sample', outcome: 'failed', error: { name: callLostName } });
});

test('answers 503 without Retry-After when the outcome of the append is unknown', async () => {
  const { id } = await deploy('sampled');
  bed.log.failNextAppend('unknown_outcome_committed');
  const answer = await sample(id);
  expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([503, 'unknown_outcome', undefined]);
  expect(answer.body).toMatchObject({
    error: expect.stringMatching(/never repeated/),
    details: { run_id: expect.stringMatching(/^run_/) },
  });
});

test('answers 504 to a call that takes too long, and 429 above the waiting calls of a source', async () => {
  const { id } = await deploy('slow');
  const hasty = <T>(body: () => Promise<T>): Promise<T> => bed.withLimits({ callMs: 300 }, body);
  const answers = await hasty(() => Promise.all(Array.from({ length: 10 }, () => sample(id))));
  const statuses = answers.map(({ status, body }) => [status, body.code]).toSorted();
  expect(statuses).toEqual([
    ...Array.from({ length: 2 }, () => [429, 'too_many_requests']),
    ...Array.from({ length: 8 }, () => [504, 'call_timed_out']),
  ]);
  expect((await sample((await deploy('sampled')).id)).status).toBe(200);
  expect((await hasty(() => sample(id))).status).toBe(504);
});

test('answers 404 for an unknown, inactive or deleted source', async () => {
  const { id } = await deploy('sampled');
  expect((await sample('dc_0000000000000000')).status).toBe(404);
  await bed.call('PUT', `/v1/sources/${id}`, { body: { active: false } });
  expect((await sample(id)).status).toBe(404);
  await bed.call('DELETE', `/v1/sources/${id}`);
  expect((await sample(id)).status).toBe(404);
});
