import type { Source } from '../../../libs/client/index.ts';
import { table } from './layout/table.ts';
import { sourceColumns } from './show-source.ts';
import { styleFor } from './style.ts';

const source = (name: string, slug: string): Source => ({ name, name_slug: slug }) as Source;

/** The names that a list of these sources shows. */
function namesOf(...sources: readonly Source[]): readonly unknown[] {
  const names = sourceColumns(sources, styleFor(false), 0).filter(({ title }) => title === 'NAME');
  return table(sources, names, {}).split('\n').slice(1);
}

test('a list shows the slug of a source whose name or slug could mean another source', () => {
  expect(namesOf(source('Twin', 'twin'), source('Twin', 'twin-1'))).toEqual(['Twin (twin)', 'Twin (twin-1)']);
  expect(namesOf(source('Foo Bar', 'foo-bar'), source('foo-bar', 'foo-bar-1'), source('Other', 'other'))).toEqual([
    'Foo Bar (foo-bar)',
    'foo-bar (foo-bar-1)',
    'Other',
  ]);
  expect(namesOf(source('orders', 'orders'))).toEqual(['orders']);
});
