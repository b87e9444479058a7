import type { Json } from '../../json.ts';
import { configure } from '../../source/process/configure.ts';
import type { Manifest } from '../manifest.ts';

const store = 'ds_8kQ2vYx0LmB4nTzR';
const other = 'ds_8kQ2vYx0LmB4nTzS';
const manifest: Manifest = {
  name: 'n',
  version: '1',
  type: 'source',
  hooks: [],
  methods: [],
  additionalProps: false,
  props: [
    { name: 'seen', type: 'data_store' },
    { name: 'kept', type: 'data_store', optional: true },
    { name: 'text', type: 'string', optional: true },
  ],
};
const configured = (given: { readonly [name: string]: Json }, dataStores?: readonly string[]) =>
  configure(manifest, () => given, {
    seal: (clear) => ({ $sealed: JSON.stringify(clear) }),
    unseal: ({ $sealed }) => JSON.parse($sealed) as Json,
    appOf: () => undefined,
    dataStores,
  });

test('a value must name a data store of the workspace; a text prop may hold any such id', () => {
  const props = { seen: store, text: other };
  expect(configured(props, [store])).toEqual({ props });
});

test('every prop that names an unknown data store is reported by its name', () => {
  const message = (prop: string): string =>
    `Prop "${prop}" names the data store ${other}, which is not in this workspace.`;
  expect(configured({ seen: other, kept: other }, [store])).toEqual({
    reason: 'props_invalid',
    message: `${message('seen')} ${message('kept')}`,
    problems: ['seen', 'kept'].map((prop) => ({ prop, message: message(prop) })),
  });
  expect(configured({ seen: other }, [])).toMatchObject({ problems: [{ prop: 'seen' }] });
});

test('without a list of data stores any value is accepted', () => {
  expect(configured({ seen: other })).toEqual({ props: { seen: other } });
});
