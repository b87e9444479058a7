// Sources with the credentials of an account, which can be replaced and deleted, and with a shared data store.
import { createClient } from '../../../libs/client/index.ts';
import type { Client, Run } from '../../../libs/client/index.ts';
import { withFixture } from '../../support/fixture.ts';
import { onlyWaitForKill } from '../../support/processes/shared-kills.ts';
import { Receiver } from '../../support/receiver.ts';
import { until } from '../../support/until.ts';

const fixture = withFixture();

const tokens = ['tok-first-9f8e7d6c5b4a', 'tok-second-0a1b2c3d4e5f'] as const;

const component = `const acme = { type: 'app', app: 'acme_crm', methods: {
  ask(path) { return fetch(this.$auth.base_url + path, { headers: { 'x-api-key': this.$auth.api_key } }); },
} };
export default { name: 'Contacts', version: '1', props: { acme },
  hooks: { activate() { return this.acme.ask('/activated'); }, deactivate() { return this.acme.ask('/deactivated'); } },
  async run() {
    const { status } = await this.acme.ask('/contacts');
    console.log('asked with', this.acme.$auth, this.acme.$auth.api_key);
    this.$emit({ status });
  } };`;

let client: Client;
/** The service that the accounts are for; its address is one of their secrets, and occurs nowhere else. */
let crm: Receiver;
beforeAll(async () => {
  crm = await Receiver.start();
  client = createClient({ baseUrl: fixture.product.baseUrl, apiKey: await fixture.product.apiKey() });
});

afterAll(() => crm.stop());

const keysSent = (path: string): readonly (string | undefined)[] =>
  crm.requestsTo(path).map(({ headers }) => headers['x-api-key']);

async function run(id: string): Promise<Run> {
  const { id: runId } = await client.runNow(id, {});
  return until('the run', async () => (await client.runs(id, { limit: 100 })).data.find((one) => one.id === runId));
}

fixture.kills.test(
  'runs and hooks get current credentials, and runs are refused once the account is deleted',
  async function* () {
    const base_url = crm.url('');
    const account = await client.accounts.create({ app: 'acme_crm', credentials: { api_key: tokens[0], base_url } });
    const props = { acme: { authProvisionId: account.id } };
    await expect(client.deploySource({ component_code: component })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('needs an account of the app acme_crm'),
    });
    const source = await client.deploySource({ component_code: component, configured_props: props });
    expect(source.configured_props).toEqual(props);
    expect(keysSent('/activated')).toEqual([tokens[0]]);
    const first = await run(source.id);
    expect([first.outcome, keysSent('/contacts')]).toEqual(['succeeded', [tokens[0]]]);
    expect(first.console.map(({ text }) => text).join()).toMatch(/asked with .*\[secret\].* \[secret\]/s);
    expect(JSON.parse((await client.accounts.app('acme_crm')).custom_fields_json)).toMatchObject([
      { name: 'api_key', type: 'password' },
      { name: 'base_url', type: 'string' },
    ]);

    const { credentials } = await client.accounts.get(account.id, { include_credentials: '1' });
    expect(credentials).toEqual({ api_key: tokens[0], base_url });
    await client.accounts.update(account.id, { credentials: { api_key: tokens[1], base_url } });
    await until('the new credentials', async () => {
      await run(source.id);
      return keysSent('/contacts').at(-1) === tokens[1];
    });

    await expect(client.accounts.delete(account.id)).rejects.toMatchObject({ status: 409, code: 'account_in_use' });
    await client.accounts.delete(account.id, { force: true });
    const refused = await until('a refused run', async () => {
      const finishedRun = await run(source.id);
      return finishedRun.outcome === 'refused' && finishedRun;
    });
    expect(refused.error).toMatchObject({ name: 'AccountGoneError', message: expect.stringContaining(account.id) });

    yield onlyWaitForKill;
    expect((await run(source.id)).error).toMatchObject({ name: 'AccountGoneError' });
    const other = await client.accounts.create({ app: 'acme_crm', credentials: { api_key: tokens[0], base_url } });
    await client.updateSource(source.id, {
      configured_props: { acme: { authProvisionId: other.id } },
      ignore_hook_errors: true,
    });
    expect((await run(source.id)).outcome).toBe('succeeded');
    await client.deleteSource(source.id);
    expect(keysSent('/deactivated')).toEqual([tokens[0]]);
    await client.accounts.delete(other.id);
  },
);

const counting = `export default { name: 'Counting', version: '1', props: { seen: { type: 'data_store' } },
  async run({ key }) {
    const count = ((await this.seen.get(key)) ?? 0) + 1;
    await this.seen.set(key, count, { ttl: 3600 });
    this.$emit({ count, keys: await this.seen.keys() });
  } };`;

fixture.kills.test(
  'sources share a data store with each other and with the API, also across a kill',
  async function* () {
    const { dataStores } = client;
    const store = await dataStores.create('Seen orders', { idempotencyKey: 'seen' });
    expect(await dataStores.create('Seen orders', { idempotencyKey: 'seen' })).toEqual(store);
    await expect(dataStores.create('Others', { idempotencyKey: 'seen' })).rejects.toMatchObject({ status: 409 });
    const withName = { component_code: counting, configured_props: { seen: 'Seen orders' } };
    await expect(client.deploySource(withName)).rejects.toMatchObject({ status: 400, code: 'props_invalid' });
    const unknownStoreId = 'ds_8kQ2vYx0LmB4nTzR';
    const unknown = { status: 400, code: 'props_invalid', details: { problems: [{ field: 'seen' }] } };
    const withUnknownId = { component_code: counting, configured_props: { seen: unknownStoreId } };
    await expect(client.deploySource(withUnknownId)).rejects.toMatchObject({
      ...unknown,
      message: `Prop "seen" names the data store ${unknownStoreId}, which is not in this workspace.`,
    });
    const deploy = { component_code: counting, configured_props: { seen: store.id } };
    const sources = [await client.deploySource(deploy), await client.deploySource(deploy)];
    const [{ id: first } = { id: '' }] = sources;
    await expect(client.updateSource(first, { configured_props: { seen: unknownStoreId } })).rejects.toMatchObject(
      unknown,
    );
    const counts = async (key: string): Promise<unknown[]> => {
      const counted: unknown[] = [];
      for (const { id } of sources) {
        const { id: runId } = await client.runNow(id, { event: { key } });
        const run = await until('the run', async () =>
          (await client.runs(id, { limit: 100 })).data.find((one) => one.id === runId),
        );
        expect([run.outcome, run.error]).toEqual(['succeeded', null]);
        const summary = await until('its event', async () => {
          const { data } = await client.eventSummaries(id, { expand: 'event', limit: 1 });
          return data.find((one) => run.emitted.includes(one.id));
        });
        counted.push(summary.event);
      }
      return counted;
    };
    expect(await counts('a/b?c')).toEqual([
      { count: 1, keys: ['a/b?c'] },
      { count: 2, keys: ['a/b?c'] },
    ]);
    yield onlyWaitForKill;
    expect(await dataStores.entry(store.id, 'a/b?c')).toEqual({
      key: 'a/b?c',
      value: 2,
      expires_at: expect.any(Number),
    });
    await dataStores.set(store.id, 'a/b?c', 10);
    expect(await counts('a/b?c')).toMatchObject([{ count: 11 }, { count: 12 }]);
    await dataStores.set(store.id, 'second', { any: ['JSON'] });
    const page = await dataStores.entries(store.id, { limit: 1 });
    expect(page).toMatchObject({ page_info: { total_count: 2, count: 1 }, data: [{ key: 'a/b?c', value: 12 }] });
    const after = page.page_info.end_cursor ?? '';
    expect((await dataStores.entries(store.id, { after })).data).toMatchObject([
      { key: 'second', value: { any: ['JSON'] } },
    ]);
    await dataStores.deleteEntry(store.id, 'second');
    await expect(dataStores.entry(store.id, 'second')).rejects.toMatchObject({ status: 404 });
    expect((await dataStores.list()).data).toMatchObject([{ id: store.id, name: 'Seen orders', keys: 1 }]);
    await dataStores.delete(store.id);
    await expect(dataStores.get(store.id)).rejects.toMatchObject({ status: 404 });
    const [{ id } = { id: '' }] = sources;
    const { id: runId } = await client.runNow(id, { event: { key: 'x' } });
    const failed = await until('the run', async () =>
      (await client.runs(id, { limit: 100 })).data.find((one) => one.id === runId),
    );
    expect(failed.error).toMatchObject({ name: 'DataStoreError', message: expect.stringContaining(store.id) });
  },
);
