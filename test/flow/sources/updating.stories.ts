// Updates during traffic, hooks that throw, and sources that become inactive.
import { createClient } from '../../../libs/client/index.ts';
import type { Client, NewSource } from '../../../libs/client/index.ts';
import { withFixture } from '../../support/fixture.ts';
import { onlyWaitForKill } from '../../support/processes/shared-kills.ts';
import { Receiver } from '../../support/receiver.ts';
import { until } from '../../support/until.ts';

const fixture = withFixture();
let client: Client;

beforeAll(async () => {
  client = createClient({ baseUrl: fixture.product.baseUrl, apiKey: await fixture.product.apiKey() });
});

/** A component that prints in its hooks, and counts its runs in its db. */
const counter = (version: string): string => `export default {
  name: 'Counter', version: '${version}',
  props: { http: '$.interface.http', timer: { type: '$.interface.timer', default: { intervalSeconds: 1 } }, db: '$.service.db', limit: { type: 'integer', default: 9 }, asks: { type: 'string', optional: true } },
  hooks: {
    activate() { console.log('activate ${version}', this.limit); },
    async deactivate() {
      if (this.db.get('clings')) throw new Error('still in use');
      console.log('deactivate ${version}');
      if (this.asks) await fetch(this.asks);
    },
  },
  run({ body, interval_seconds }) {
    if (interval_seconds) return;
    if (body.clings !== undefined) return this.db.set('clings', body.clings);
    const count = (this.db.get('count') ?? 0) + 1;
    this.db.set('count', count);
    this.$emit({ n: body.n, count, by: '${version}', limit: this.limit });
  },
};`;

interface Counted {
  readonly n: number;
  readonly count: number;
  readonly by: string;
  readonly limit: number;
}

const endpointOf = (source: NewSource): string => source.configured_props.http?.endpoint_url ?? '';

const post = async (source: NewSource, body: object): Promise<number> => {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(endpointOf(source), { method: 'POST', headers, body: JSON.stringify(body) });
  await response.arrayBuffer();
  return response.status;
};

/** The events, oldest first. */
async function countedEvents({ id }: NewSource): Promise<readonly Counted[]> {
  const counted: Counted[] = [];
  for (let after: string | undefined; ;) {
    const paging = after === undefined ? {} : { after };
    const { data, page_info } = await client.eventSummaries(id, { expand: 'event', limit: 100, ...paging });
    counted.push(...data.map(({ event }) => event as Counted));
    if (data.length < 100 || page_info.end_cursor === null) return counted.reverse();
    after = page_info.end_cursor;
  }
}

const waitForCounted = ({ id }: NewSource, count: number): Promise<readonly Counted[]> =>
  until(`${count} events`, async () => {
    const { data } = await client.eventSummaries(id, { expand: 'event', limit: 100 });
    return data.length >= count && data.map(({ event }) => event as Counted).reverse();
  });

const messagesOf = ({ observations }: NewSource): readonly string[] => observations.map(({ msg }) => msg);

fixture.kills.test(
  'an inactive source accepts no requests and does not tick, also after kill -9, until it is active',
  async function* () {
    const source = await client.deploySource({ component_code: counter('1') });
    expect(await post(source, { n: 1 })).toBe(200);
    const off = await client.updateSource(source.id, { active: false, name: 'Resting' });
    const offAt = Date.now();
    expect([off.state, off.active, off.name, off.next_run_at_ms]).toEqual(['inactive', false, 'Resting', null]);
    expect(messagesOf(off)).toEqual(['deactivate 1']);
    expect(await post(source, { n: 2 })).toBe(404);
    yield onlyWaitForKill;
    expect(await post(source, { n: 3 })).toBe(404);
    const onAt = Date.now();
    const on = await client.updateSource(source.id, { active: true });
    expect([on.state, on.name, ...messagesOf(on)]).toEqual(['active', 'Resting', 'activate 1 9']);
    expect(await post(source, { n: 4 })).toBe(200);
    expect(await waitForCounted(source, 2)).toMatchObject([
      { n: 1, count: 1 },
      { n: 4, count: 2 },
    ]);
    const ticksAt = async (): Promise<readonly number[]> =>
      (await client.runs(source.id, { kind: 'timer', limit: 100 })).data.map(({ started_at_ms: at }) => at);
    const isNext = (at: number): boolean => at >= onAt;
    await until('the next tick', async () => (await ticksAt()).some(isNext), 60_000, 100);
    const all = await ticksAt();
    // None while it was inactive, and the next one at least a second after it became active again.
    expect(all.filter((at) => at > offAt && !isNext(at))).toEqual([]);
    expect(Math.min(...all.filter(isNext))).toBeGreaterThanOrEqual(onAt + 1_000);
  },
);

test('a deactivate that throws prevents an update and a delete, unless hook errors are ignored', async () => {
  const source = await client.deploySource({ component_code: counter('1') });
  expect(await post(source, { clings: true })).toBe(200);
  const refused = { status: 400, code: 'hook_failed', message: expect.stringContaining('still in use') as string };
  await expect(client.updateSource(source.id, { active: false })).rejects.toMatchObject(refused);
  await expect(client.deleteSource(source.id)).rejects.toMatchObject(refused);
  expect(await client.source(source.id)).toMatchObject({ active: true, refusal: { code: 'hook_failed' } });
  expect(await post(source, { n: 1 })).toBe(200);
  await client.deleteSource(source.id, { ignore_hook_errors: true });
  await expect(client.source(source.id)).rejects.toMatchObject({ status: 404 });
});

fixture.kills.test(
  'updates under traffic lose no request, repeat none and keep their order, also across kill -9',
  async function* () {
    const receiver = await Receiver.start();
    const source = await client.deploySource({ component_code: counter('1'), configured_props: { limit: 3 } });
    const acceptedNumbers: number[] = [];
    let isOver = false;
    const traffic = (async () => {
      for (let n = 1; !isOver; n++) if ((await post(source, { n }).catch(() => 0)) === 200) acceptedNumbers.push(n);
    })();
    await waitForCounted(source, 5);
    const asks = receiver.url('/deactivated');
    const configured_props = { asks };
    const updated = await client.updateSource(source.id, { component_code: counter('2'), configured_props });
    expect([updated.version, ...messagesOf(updated)]).toEqual(['2', 'deactivate 1', 'activate 2 3']);
    await until('an event of the new code', async () => (await countedEvents(source)).some(({ by }) => by === '2'));
    receiver.behaviours.set('/deactivated', 'hang');
    const update = client.updateSource(source.id, { configured_props: { limit: 4 } }).catch(() => undefined);
    await until('the update to begin', async () => (await client.source(source.id)).state === 'updating');
    await until('its hook to be under way', () => receiver.requestsTo('/deactivated').length > 0);
    yield async () => receiver.behaviours.set('/deactivated', 'ok');
    await update;
    await until('the update to end', async () => (await client.source(source.id)).state === 'active');
    const acceptedBefore = acceptedNumbers.length;
    await until('more requests', async () => acceptedNumbers.length > acceptedBefore + 5);
    isOver = true;
    await traffic;
    const last = acceptedNumbers.at(-1) ?? 0;
    const counted = await until('the last request', async () => {
      const all = await countedEvents(source);
      return all.at(-1)?.n === last && all;
    });
    const numbers = counted.map(({ n }) => n);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    expect(acceptedNumbers.filter((n) => !numbers.includes(n))).toEqual([]);
    expect(counted.map(({ count }) => count)).toEqual(counted.map((_, index) => index + 1));
    const revisions = counted.map(({ by, limit }) => `${by} ${limit}`);
    expect([...new Set(revisions)]).toEqual(['1 3', '2 3', '2 4']);
    await receiver.stop();
  },
);

test('an update is undone when activate throws, and activate can call the endpoint of its own source', async () => {
  const source = await client.deploySource({ component_code: counter('1') });
  const failing = counter('2').replace(
    'activate() {',
    "activate() { console.log('trying'); throw new Error('no luck');",
  );
  const refused = client.updateSource(source.id, { component_code: failing });
  await expect(refused).rejects.toMatchObject({ status: 400, code: 'hook_failed', details: { console: [{}, {}, {}] } });
  await expect(client.updateSource(source.id, { component_code: 'module.exports = {' })).rejects.toMatchObject({
    code: 'component_invalid',
  });
  expect(await post(source, { n: 1 })).toBe(200);
  expect(await waitForCounted(source, 1)).toMatchObject([{ n: 1, by: '1' }]);
  const shaking = `export default {
    name: 'Shaking', version: '3', props: { http: { type: '$.interface.http', customResponse: true } },
    hooks: {
      async activate() {
        const answer = await fetch(this.http.endpoint, { method: 'POST', body: 'challenge' });
        console.log(answer.status, await answer.text());
      },
    },
    run({ bodyRaw }) { this.http.respond({ status: 200, body: bodyRaw + ' met' }); },
  };`;
  const shaken = await client.updateSource(source.id, { component_code: shaking });
  expect(messagesOf(shaken)).toEqual(['deactivate 1', '200 challenge met']);
}, 180_000);
