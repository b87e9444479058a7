// The contract, part four: ranges of documents are removed by index: completely, idempotently, and no other documents.
import { documentsMax } from '../catalog.ts';
import type { ViewRange } from '../view-store.ts';
import { book, eachOpened, everything, ids, write, type OpenViewStore } from './fixture.ts';

const onShelf = (shelf: string, more: Partial<ViewRange> = {}): ViewRange => ({
  index: 'byShelf',
  equals: [shelf],
  belowVersion: 100,
  leaves: 'nothing',
  ...more,
});

export function promiseRemoval(open: OpenViewStore): void {
  const opened = eachOpened(open);
  const live = () => opened().store.live();
  const remainingIds = async (): Promise<string[]> => ids(await everything(live()));
  const count = (shelf: string): Promise<number> => live().count('books', { index: 'byShelf', equals: [shelf] });

  describe.each(['nothing', 'fading', 'tombstones'] as const)('leaving %s', (leaves) => {
    test('documents that match by equality are removed, and no others', async () => {
      await live().put([write('x', 1, book('a', 1)), write('y', 2, book('a', 2)), write('z', 3, book('b', 1))]);
      await live().put([{ view: 'readers', id: 'x', version: 1, value: { name: 'a' } }]);
      await live().removeRange('books', onShelf('a', { leaves }));
      expect(await remainingIds()).toEqual(['z']);
      expect(await live().get('books', 'x')).toBeUndefined();
      expect(await live().find('books', { ...onShelf('a'), order: 'ascending', limit: 10 })).toEqual([]);
      expect([await count('a'), await count('b')]).toEqual([0, 1]);
      expect(await everything(live(), 'readers')).toHaveLength(1);
    });

    test('a range includes its first sort value and excludes its last, for numbers and texts', async () => {
      await live().put([1, 2, 3, 4].map((year) => write(`y${year}`, 1, book('a', year, { title: `t${year}` }))));
      await live().removeRange('books', onShelf('a', { from: 2, to: 3, leaves }));
      expect(await remainingIds()).toEqual(['y1', 'y3', 'y4']);
      const titles = { index: 'byTitle', equals: ['a', 'poetry'], belowVersion: 100, leaves };
      await live().removeRange('books', { ...titles, from: 't4' });
      expect(await remainingIds()).toEqual(['y1', 'y3']);
      await live().removeRange('books', { ...titles, to: 't3' });
      expect(await remainingIds()).toEqual(['y3']);
      expect(await count('a')).toBe(1);
    });

    test('a document with the given version or a higher one is kept, also when it was put again', async () => {
      await live().put([4, 5, 6].map((version) => write(`v${version}`, version, book('a', 1))));
      await live().removeRange('books', onShelf('a', { belowVersion: 5, leaves }));
      expect(await remainingIds()).toEqual(['v5', 'v6']);
      await live().put([write('v5', 9, book('a', 2))]);
      await live().removeRange('books', onShelf('a', { belowVersion: 7, leaves }));
      expect(await remainingIds()).toEqual(['v5']);
    });

    test('removing again changes nothing, and newer documents are kept', async () => {
      await live().put([write('x', 1, book('a', 1)), write('y', 2, undefined)]);
      for (let turn = 0; turn < 2; turn++) await live().removeRange('books', onShelf('a', { leaves }));
      expect([await remainingIds(), await count('a')]).toEqual([[], 0]);
      await live().put([write('x', 101, book('a', 1))]);
      await live().removeRange('books', onShelf('a', { leaves }));
      expect([await remainingIds(), await count('a')]).toEqual([['x'], 1]);
    });

    test('a range may hold more documents than a page', async () => {
      const many = Array.from({ length: documentsMax + 1 }, (_, i) => write(`${i}`, 1, book('a', i)));
      await live().put([...many, write('kept', 1, book('b', 1))]);
      await live().removeRange('books', onShelf('a', { leaves }));
      expect(await remainingIds()).toEqual(['kept']);
      expect(await count('a')).toBe(0);
    });
  });

  test('when tombstones are left, only a newer document can come back; otherwise an older one can too', async () => {
    const puts = [write('x', 3, book('a', 1)), write('y', 3, book('b', 1))];
    await live().put(puts);
    await live().removeRange('books', onShelf('a', { leaves: 'tombstones' }));
    await live().removeRange('books', onShelf('b', { leaves: 'nothing' }));
    await live().put(puts);
    expect(await remainingIds()).toEqual(['y']);
    expect([await count('a'), await count('b')]).toEqual([0, 1]);
  });

  test('a view or an index that was not declared is refused by name', async () => {
    await expect(live().removeRange('films', onShelf('a'))).rejects.toThrow(/films/);
    await expect(live().removeRange('books', { ...onShelf('a'), index: 'byColour' })).rejects.toThrow(/byColour/);
    await expect(live().removeRange('books', { ...onShelf('a'), equals: [] })).rejects.toThrow(/takes 1 values/);
  });
}
