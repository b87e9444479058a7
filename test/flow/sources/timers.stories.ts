// Timers continue across kill -9, and a source can be run now.
import { createClient } from '../../../libs/client/index.ts';
import type { Client, Source } from '../../../libs/client/index.ts';
import { withFixture } from '../../support/fixture.ts';
import { onlyWaitForKill } from '../../support/processes/shared-kills.ts';
import { until } from '../../support/until.ts';

const fixture = withFixture();
let client: Client;
beforeAll(async () => {
  client = createClient({ baseUrl: fixture.product.baseUrl, apiKey: await fixture.product.apiKey() });
});

const clock = `export default {
  name: 'Clock', version: '1',
  props: { timer: { type: '$.interface.timer', default: { intervalSeconds: 3600 } }, db: '$.service.db' },
  run(event) {
    const count = (this.db.get('count') ?? 0) + 1;
    this.db.set('count', count);
    this.$emit({ ...event, count });
  },
};`;

interface Tick {
  readonly timestamp: number;
  readonly count: number;
}

const deploy = (timer?: object): Promise<Source> =>
  client.deploySource({ component_code: clock, ...(timer === undefined ? {} : { configured_props: { timer } }) });

/** The ticks, oldest first. */
async function ticksOf(id: string): Promise<readonly Tick[]> {
  const { data } = await client.eventSummaries(id, { expand: 'event', limit: 100 });
  return data.map(({ event }) => event as Tick).reverse();
}

const waitForTicks = (id: string, count: number): Promise<readonly Tick[]> =>
  until(
    `${count} ticks`,
    async () => {
      const ticks = await ticksOf(id);
      return ticks.length >= count && ticks;
    },
    60_000,
    100,
  );

fixture.kills.test(
  'a timer of one second continues across kill -9 and never ticks twice for the same time',
  async function* () {
    const source = await deploy({ intervalSeconds: 1 });
    expect(source.configured_props['timer']).toEqual({ cron: null, interval_seconds: 1 });
    await waitForTicks(source.id, 2);
    yield onlyWaitForKill;
    const ticks = await waitForTicks(source.id, (await ticksOf(source.id)).length + 2);
    expect(ticks[0]).toMatchObject({ interval_seconds: 1, count: 1 });
    expect(ticks.map(({ count }) => count)).toEqual(ticks.map((_, index) => index + 1));
    const timestamps = ticks.map(({ timestamp }) => timestamp);
    expect(timestamps).toEqual([...new Set(timestamps)].sort((a, b) => a - b));
    const { data } = await client.runs(source.id, { limit: 1 });
    expect(data).toMatchObject([{ kind: 'timer', outcome: 'succeeded' }]);
    await client.deleteSource(source.id);
    await expect(client.source(source.id)).rejects.toMatchObject({ status: 404 });
  },
);

test('a source shows its next run, by its default interval or a cron expression in a timezone', async () => {
  const [hourly, daily] = [await deploy(), await deploy({ cron: '0 9 * * *', timezone: 'Europe/Berlin' })];
  const next = (id: string): Promise<number> =>
    until('the next run to be shown', async () => (await client.source(id)).next_run_at_ms);
  const inMs = (await next(hourly.id)) - hourly.created_at * 1000;
  expect(inMs).toBeGreaterThanOrEqual(3_600_000);
  expect(inMs).toBeLessThan(3_700_000);
  expect(new Date(await next(daily.id)).toLocaleTimeString('de', { timeZone: 'Europe/Berlin' })).toBe('09:00:00');
  expect((await client.source(daily.id)).configured_props['timer']).toEqual({
    cron: '0 9 * * *',
    timezone: 'Europe/Berlin',
    interval_seconds: null,
  });
});

test('a source can be run now, with or without an event, and a waiting caller gets the run', async () => {
  const { id } = await deploy();
  const run = await client.runNowAndWait(id, { event: { by: 'hand' } });
  expect(run).toMatchObject({ source_id: id, kind: 'manual', outcome: 'succeeded', emitted: [expect.any(String)] });
  const accepted = await client.runNow(id);
  await until('the run to end', () => client.run(id, accepted.id).catch(() => undefined));
  expect(await waitForTicks(id, 2)).toEqual([
    { by: 'hand', count: 1 },
    { timestamp: expect.any(Number), count: 2 },
  ]);
});

test('deploy refuses an invalid cron expression and names its prop', async () => {
  const refused = deploy({ cron: '61 * * * *' });
  await expect(refused).rejects.toMatchObject({ status: 400, code: 'props_invalid' });
  await expect(refused).rejects.toThrow(/Prop "timer" has a cron expression that cannot be read/);
});
