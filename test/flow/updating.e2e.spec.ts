import { createClient } from '../../libs/client/index.ts';
import type { Client, NewSource } from '../../libs/client/index.ts';
import { Product } from '../support/product.ts';
import { until } from '../support/until.ts';

let product: Product;
let client: Client;

beforeAll(async () => {
  product = await Product.start();
  client = createClient({ baseUrl: product.baseUrl, apiKey: await product.apiKey() });
}, 60_000);

afterAll(() => product.remove());

/** Keeps what its hooks and runs do, in their order, in its db. */
const counter = (version: string): string => `export default {
  name: 'Counter', version: '${version}',
  props: { http: '$.interface.http', timer: { type: '$.interface.timer', default: { intervalSeconds: 1 } }, db: '$.service.db', limit: { type: 'integer', default: 9 } },
  hooks: {
    activate() { console.log('activate ${version}', this.limit); },
    deactivate() { if (this.db.get('clings')) throw new Error('still in use'); console.log('deactivate ${version}'); },
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
  const answer = await fetch(endpointOf(source), { method: 'POST', headers, body: JSON.stringify(body) });
  await answer.arrayBuffer();
  return answer.status;
};

/** Oldest first. */
const countedBy = ({ id }: NewSource, count: number): Promise<readonly Counted[]> =>
  until(`${count} events`, async () => {
    const { data } = await client.eventSummaries(id, { expand: 'event', limit: 100 });
    return data.length >= count && data.map(({ event }) => event as Counted).reverse();
  });

const told = ({ observations }: NewSource): readonly string[] => observations.map(({ msg }) => msg);

test('an inactive source takes nothing and does not tick, through kill -9, and goes on where it was', async () => {
  const source = await client.deploySource({ component_code: counter('1') });
  expect(await post(source, { n: 1 })).toBe(200);
  const off = await client.updateSource(source.id, { active: false, name: 'Resting' });
  expect([off.state, off.active, off.name, off.next_run_at_ms]).toEqual(['inactive', false, 'Resting', null]);
  expect(told(off)).toEqual(['deactivate 1']);
  expect(await post(source, { n: 2 })).toBe(404);
  await product.kill();
  await product.start();
  expect(await post(source, { n: 3 })).toBe(404);
  const ticks = async (): Promise<number> =>
    (await client.runs(source.id, { limit: 100 })).data.filter(({ kind }) => kind === 'timer').length;
  const before = await ticks();
  const on = await client.updateSource(source.id, { active: true });
  expect([on.state, on.name, ...told(on)]).toEqual(['active', 'Resting', 'activate 1 9']);
  expect(await ticks()).toBe(before);
  expect(await post(source, { n: 4 })).toBe(200);
  expect(await countedBy(source, 2)).toMatchObject([
    { n: 1, count: 1 },
    { n: 4, count: 2 },
  ]);
  await until('the next tick', async () => (await ticks()) > before, 60_000, 100);
}, 180_000);

test('a deactivate that throws keeps the source as it is, until its errors are to be ignored', async () => {
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
