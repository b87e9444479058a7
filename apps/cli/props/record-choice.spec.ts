import type { ConfigurableProp } from '../../../libs/client/index.ts';
import type { Choice, Prompts } from '../prompts/prompts.ts';
import { chooseRecord, recordsOf } from './record-choice.ts';

const queries: unknown[] = [];
const client = {
  accounts: {
    list: async (query: unknown) => {
      queries.push(query);
      return {
        data: [
          { id: 'apn_1', name: 'Main' },
          { id: 'apn_2', name: null },
        ],
      };
    },
  },
  dataStores: {
    list: async () => ({ data: [{ id: 'ds_1', name: 'Seen\nit' }] }),
    create: async (name: string) => ({ id: `ds_of_${name}` }),
  },
} as unknown as Parameters<typeof recordsOf>[0];

/** Chooses the option with this label, and types these answers. */
async function chosen(prop: Partial<ConfigurableProp>, label: string, answers: readonly string[] = []) {
  const texts = [...answers];
  const seen: string[] = [];
  const prompts = {
    choose: async (_message: string, choices: readonly Choice<string>[]) => {
      seen.push(...choices.map((choice) => choice.label));
      return choices.find((choice) => choice.label === label)?.value;
    },
    text: async () => texts.shift() ?? '',
  } as unknown as Prompts;
  const definition = { name: 'p', type: 'data_store', ...prop };
  const records = await recordsOf(client)(definition);
  if (records === undefined) throw new Error('it names no record');
  return { value: await chooseRecord(prompts, definition, { message: 'P', records }), seen };
}

test.each<[string, Partial<ConfigurableProp>, string[], string | undefined]>([
  ['a data store by its name', {}, ['Seen it (ds_1)'], 'ds_1'],
  ['a new data store', {}, ['A new one ...', 'Orders'], 'ds_of_Orders'],
  ['an id that is typed', {}, ['Type an id ...', 'ds_9'], 'ds_9'],
  ['an account by its name', { type: 'app', app: 'acme' }, ['Main (apn_1)'], 'apn_1'],
  ['nothing, where it is optional', { optional: true }, ['None'], undefined],
])('the choice is %s', async (_name, prop, [label = '', ...answers], value) => {
  expect((await chosen(prop, label, answers)).value).toBe(value);
});

test('only accounts of the app are offered, and no new one, since that takes credentials', async () => {
  const { seen } = await chosen({ type: 'app', app: 'acme' }, 'apn_2');
  expect(seen).toEqual(['Main (apn_1)', 'apn_2', 'Type an id ...']);
  expect(queries.at(-1)).toEqual({ limit: 100, app: 'acme' });
});

test('a prop of any other type offers no records', async () => {
  expect(await recordsOf(client)({ name: 'p', type: 'string' })).toBeUndefined();
});
