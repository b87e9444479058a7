// Answers to callers that wait for a source while there is no runtime, or one that does not report what it reads.
import { until } from '../../../../../../test/support/until.ts';
import type { Manifest } from '../../../../../domain/component/manifest.ts';
import { TestBed } from '../../../test-bed.fake.ts';
import type { Answer } from '../../../test-bed.fake.ts';

const manifest: Manifest = {
  name: 'Slow',
  version: '0.0.1',
  type: 'source',
  props: [{ name: 'http', type: '$.interface.http', customResponse: true }],
  hooks: [],
  methods: [],
  additionalProps: false,
  sampleEmit: true,
};
const limits = { takenMs: 700, respondMs: 2_000, callMs: 2_000, viewsMs: 2_000 };

interface Deployed {
  readonly id: string;
  readonly configured_props: { readonly http: { readonly endpoint_url: string } };
}

let bed: TestBed;
let hanging: PromiseWithResolvers<void>;
let source: Deployed;

async function start(takenReportMs: number): Promise<void> {
  hanging = Promise.withResolvers();
  const { promise } = hanging;
  const components = new Map([['slow', { manifest, run: () => promise, sample: () => promise }]]);
  bed = await TestBed.start({ limits, runtimeLimits: { takenReportMs }, components });
  source = (await bed.call('POST', '/v1/sources', { body: { component_code: 'slow' } })).body.data as Deployed;
}
afterEach(async () => {
  hanging.resolve();
  await bed.stop();
});

const runNow = (): Promise<Answer> => bed.call('POST', `/v1/sources/${source.id}/run`, { query: { wait: '1' } });
const sample = (): Promise<Answer> => bed.call('POST', `/v1/sources/${source.id}/sample`);
const request = (): Promise<Answer> => bed.send('POST', new URL(source.configured_props.http.endpoint_url).pathname);
const configure = (): Promise<Answer> =>
  bed.call('POST', '/v1/components/configure', { body: { component_code: 'slow', prop_name: 'http' } });

test('without a runtime, the answer to a waiting caller says so, and has the id under which the run is found later', async () => {
  await start(20);
  await bed.stopStages();
  const [run, call] = [await runNow(), await sample()];
  for (const answer of [run, call]) {
    expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([
      503,
      'unknown_outcome',
      undefined,
    ]);
    expect(answer.body).toMatchObject({
      error: expect.stringMatching(/^No runtime has taken/),
      details: { run_id: expect.stringMatching(/^run_/) },
    });
  }
  const [triggers] = [bed.log.records('triggers').slice(-2)];
  expect(triggers.map(({ data }) => data)).toMatchObject([{ kind: 'manual' }, { kind: 'sample' }]);
  expect(bed.parts.replies.waitingCount).toBe(0);
});

test('without a runtime, clients of endpoints and forms wait no longer than others', async () => {
  await start(20);
  await bed.stopStages();
  const [asked, form] = [await request(), await configure()];
  expect([asked.status, asked.headers['retry-after'], asked.body]).toMatchObject([
    503,
    undefined,
    { code: 'unknown_outcome', error: expect.stringMatching(/^No runtime.*was accepted/) },
  ]);
  expect([form.status, form.body]).toMatchObject([
    503,
    { code: 'unknown_outcome', error: expect.stringMatching(/^No runtime/) },
  ]);
});

test('a request that runtime has read waits for its full time', async () => {
  await start(20);
  const answers = await Promise.all([runNow(), sample(), request()]);
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
    [202, undefined],
    [504, 'call_timed_out'],
    [504, 'no_response'],
  ]);
});

test('a run that has ended is the answer, even if its end was not reported', async () => {
  await start(20);
  const reply = bed.log.reply.bind(bed.log);
  bed.log.reply = () => {};
  const answer = runNow();
  hanging.resolve();
  const { status, body } = await answer;
  bed.log.reply = reply;
  expect([status, body.data]).toMatchObject([200, { kind: 'manual', outcome: 'succeeded' }]);
});

test('a runtime without reports, such as one of an earlier version, leaves no request without an answer', async () => {
  await start(60_000);
  const answer = await runNow();
  expect([answer.status, answer.body.code]).toEqual([503, 'unknown_outcome']);
  hanging.resolve();
  const path = `/v1/sources/${source.id}/runs/${String(answer.body.details?.['run_id'])}`;
  await until('the run', async () => (await bed.call('GET', path)).status === 200);
});
