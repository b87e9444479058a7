import type { ConfigurableProp, PropOptions } from '../../../libs/client/index.ts';
import type { Choice, Prompts } from '../prompts/prompts.ts';
import { chooseRemote } from './remote-choice.ts';
import type { ReadOptions } from './remote-choice.ts';

type Read = Parameters<ReadOptions>[0];

/** Chooses the option with this label, and types these answers. */
async function chosen(prop: Partial<ConfigurableProp>, labels: readonly string[], answers: readonly string[] = []) {
  const [pending, texts, asked, seen]: [string[], string[], Read[], string[][]] = [[...labels], [...answers], [], []];
  const prompts = {
    choose: async (_message: string, choices: readonly Choice<string>[]) => {
      seen.push(choices.map(({ label }) => label));
      const next = pending.shift();
      return choices.find(({ label }) => label === next)?.value ?? 'nothing';
    },
    text: async () => texts.shift() ?? '',
  } as unknown as Prompts;
  const read: ReadOptions = async (request) => {
    asked.push(request);
    const { page = 0, query } = request;
    const texts = page === 0 ? { string_options: ['a', `b${query ?? ''}`] } : {};
    const pairs = page === 1 ? { options: [{ label: 'Seven', value: 7 }] } : { string_options: [] };
    return { ...(page === 0 ? texts : pairs), context: { at: page }, observations: [] } as PropOptions;
  };
  const definition = { name: 'p', type: 'string', remoteOptions: true, ...prop };
  return { value: await chooseRemote(prompts, definition, { message: 'P', read }), asked, seen };
}

test('the first page is read without context, each later page with the context of the page before', async () => {
  const { value, asked, seen } = await chosen({}, ['More ...', 'More ...', 'Type a value ...'], ['typed']);
  expect(value).toBe('typed');
  expect(asked).toEqual([
    { prop_name: 'p', page: 0, prev_context: null },
    { prop_name: 'p', page: 1, prev_context: { at: 0 } },
    { prop_name: 'p', page: 2, prev_context: { at: 1 } },
  ]);
  expect(seen).toEqual([
    ['a', 'b', 'More ...', 'Type a value ...'],
    ['Seven', 'More ...', 'Type a value ...'],
    ['Type a value ...'],
  ]);
});

test.each<[string, Partial<ConfigurableProp>, string[], unknown]>([
  ['a text', {}, ['b'], 'b'],
  ['the value of a label', { type: 'integer' }, ['More ...', 'Seven'], 7],
  ['a list of one', { type: 'integer[]' }, ['More ...', 'Seven'], [7]],
  ['nothing, where it is optional', { optional: true }, ['None'], undefined],
])('the choice is %s', async (_name, prop, labels, value) => {
  expect((await chosen(prop, labels)).value).toEqual(value);
});

test('a search starts at the first page', async () => {
  const { value, asked } = await chosen({ useQuery: true }, ['More ...', 'Search ...', 'bx'], ['x']);
  expect([value, asked.at(-1)]).toEqual(['bx', { prop_name: 'p', page: 0, prev_context: null, query: 'x' }]);
});

test('a list may be typed, separated by commas', async () => {
  expect((await chosen({ type: 'string[]' }, ['Type a value ...'], ['a, b'])).value).toEqual(['a', 'b']);
});
