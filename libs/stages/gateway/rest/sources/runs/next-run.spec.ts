// The next run in the answers of deploys and updates: when the new timer is due, never the time of a former one.
import type { Manifest } from '../../../../../domain/component/manifest.ts';
import { LateLog } from '../../../late-log.fake.ts';
import { TestBed } from '../../../test-bed.fake.ts';
import type { Answer } from '../../../test-bed.fake.ts';

const manifestOf = (timer: boolean): Manifest => ({
  name: 'Ticker',
  version: '0.0.1',
  type: 'source',
  hooks: [],
  methods: [],
  additionalProps: false,
  props: timer ? [{ name: 'timer', type: '$.interface.timer' }] : [],
});

// Only the projection follows `schedules`.
const log = new LateLog({ topic: 'schedules', followedTopic: 'schedules' });
let bed: TestBed;
beforeAll(async () => {
  bed = await TestBed.start({ log });
  bed.components.set('ticking', { manifest: manifestOf(true), run: () => {} });
  bed.components.set('quiet', { manifest: manifestOf(false), run: () => {} });
}, 60_000);
afterEach(() => (log.isLate = false));
afterAll(() => bed?.stop());

interface Source {
  readonly id: string;
  readonly next_run_at_ms: number | null;
}
const sourceOf = ({ body }: Answer): Source => body.data as Source;
const every = (seconds: number): object => ({ configured_props: { timer: { intervalSeconds: seconds } } });
const deploy = async (seconds: number): Promise<Source> =>
  sourceOf(await bed.call('POST', '/v1/sources', { body: { component_code: 'ticking', ...every(seconds) } }));
const put = async ({ id }: Source, body: object): Promise<Source> =>
  sourceOf(await bed.call('PUT', `/v1/sources/${id}`, { body }));
const get = async ({ id }: Source): Promise<Source> => sourceOf(await bed.call('GET', `/v1/sources/${id}`));

/** Expects the next run at the end of an interval of these seconds that began a moment ago. */
function expectDueIn(seconds: number, { next_run_at_ms: next }: Source): void {
  const inMs = Number(next) - Date.now();
  expect(inMs).toBeGreaterThan((seconds - 30) * 1_000);
  expect(inMs).toBeLessThanOrEqual(seconds * 1_000);
}

test('a deploy and each update answer with the next run of the timer that the source has now', async () => {
  const source = await deploy(3_600);
  expectDueIn(3_600, source);
  expectDueIn(7_200, await put(source, every(7_200)));
  expect((await put(source, { active: false })).next_run_at_ms).toBeNull();
  expectDueIn(7_200, await put(source, { active: true }));
  const renamed = await put(source, { name: 'Renamed' });
  expect(renamed.next_run_at_ms).toBe((await get(source)).next_run_at_ms);
  expect((await put(source, { component_code: 'quiet' })).next_run_at_ms).toBeNull();
});

test('an update is answered only once the views show when its timer is due', async () => {
  const source = await deploy(3_600);
  log.isLate = true;
  let isAnswered = false;
  const answer = put(source, every(60)).finally(() => (isAnswered = true));
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(isAnswered).toBe(false);
  log.isLate = false;
  expectDueIn(60, await answer);
});

test('a former next run is never shown, even if the scheduler decides late', async () => {
  const source = await deploy(3_600);
  await bed.withLimits({ viewsMs: 50 }, async () => {
    log.isLate = true;
    expect((await put(source, every(60))).next_run_at_ms).toBeNull();
    expect((await get(source)).next_run_at_ms).toBeNull();
    expect((await put(source, { component_code: 'quiet' })).next_run_at_ms).toBeNull();
  });
});
