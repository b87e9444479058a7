// The contract, part three: the checkpoint in the same store, and builds that readers are switched to.
import { book, definitions, eachOpened, everything, ids, write, type OpenViewStore } from './fixture.ts';

const closed = { name: 'PortError', code: 'closed' };

export function promiseBuilds(open: OpenViewStore): void {
  const opened = eachOpened(open);
  const store = () => opened().store;

  test('a new store is empty and has no checkpoint', async () => {
    expect(await store().live().checkpoint()).toEqual({});
    expect(await everything(store().live())).toEqual([]);
  });

  test('a saved checkpoint changes only the positions that it names', async () => {
    await store().live().saveCheckpoint({ 'channels/0': 5, 'listeners/0': 2 });
    await store().live().saveCheckpoint({ 'channels/0': 9, 'channels/1': 1 });
    const saved = { 'channels/0': 9, 'channels/1': 1, 'listeners/0': 2 };
    expect(await store().live().checkpoint()).toEqual(saved);
    expect(await store().live().resume()).toEqual(saved);
  });

  test('a checkpoint never goes back', async () => {
    await store().live().saveCheckpoint({ 'channels/0': 5, 'listeners/0': 2 });
    await store().live().saveCheckpoint({ 'channels/0': 4, 'listeners/0': 3 });
    expect(await store().live().checkpoint()).toEqual({ 'channels/0': 5, 'listeners/0': 3 });
  });

  test('checkpoints saved at once are all kept', async () => {
    const partitions = Array.from({ length: 20 }, (_, partition) => partition);
    await Promise.all(
      partitions.map((n) =>
        store()
          .live()
          .saveCheckpoint({ [`channels/${n}`]: n + 1 }),
      ),
    );
    expect(await store().live().checkpoint()).toEqual(
      Object.fromEntries(partitions.map((n) => [`channels/${n}`, n + 1])),
    );
  });

  test('held records are replaced by partition, and are those of their build', async () => {
    const held = (offset: number) => ({ offset, identity: `${offset}` });
    const live = store().live();
    expect(await live.heldRecords()).toEqual({});
    await live.saveCheckpoint({ 'channels/0': 5, 'runs/1': 3 }, { 'channels/0': held(4), 'runs/1': held(2) });
    await live.saveCheckpoint({ 'channels/0': 9 }, { 'channels/0': held(7) });
    await live.saveCheckpoint({ 'runs/1': 6 });
    expect(await live.heldRecords()).toEqual({ 'channels/0': held(7), 'runs/1': held(2) });
    expect(await live.checkpoint()).toEqual({ 'channels/0': 9, 'runs/1': 6 });
    expect(await (await store().begin()).heldRecords()).toEqual({});
  });

  test('a new build is empty and separate from the live one', async () => {
    await store()
      .live()
      .put([write('old', 1, book('a', 1))]);
    await store().live().saveCheckpoint({ 'channels/0': 5 });
    const build = await store().begin();
    expect(await everything(build)).toEqual([]);
    expect(await build.checkpoint()).toEqual({});
    await build.put([write('new', 1, book('a', 1))]);
    await build.saveCheckpoint({ 'channels/0': 1 });
    expect(ids(await everything(store().live()))).toEqual(['old']);
    expect(await store().live().checkpoint()).toEqual({ 'channels/0': 5 });
    expect(build.name).not.toBe(store().live().name);
  });

  test('readers see the new build after a switch, through the same object', async () => {
    const reader = store().live();
    await reader.put([write('old', 1, book('a', 1))]);
    const build = await store().begin();
    await build.put([write('new', 1, book('a', 1))]);
    await build.saveCheckpoint({ 'channels/0': 3 });
    await store().switchTo(build);
    expect(reader.name).toBe(build.name);
    expect(ids(await everything(reader))).toEqual(['new']);
    expect(await reader.count('books', { index: 'byShelf', equals: ['a'] })).toBe(1);
    expect(await reader.checkpoint()).toEqual({ 'channels/0': 3 });
    await reader.put([write('newer', 2, book('a', 2))]);
    expect(ids(await everything(build))).toEqual(['new', 'newer']);
  });

  test('tombstones of the old build are not in the new one', async () => {
    await store()
      .live()
      .put([write('x', 9, undefined)]);
    const build = await store().begin();
    await build.put([write('x', 1, book('a', 1))]);
    await store().switchTo(build);
    expect((await store().live().get('books', 'x'))?.version).toBe(1);
  });

  test('beginning a build discards an earlier unfinished one', async () => {
    const first = await store().begin();
    const second = await store().begin();
    expect(second.name).not.toBe(first.name);
    await expect(first.put([write('x', 1, book('a', 1))])).rejects.toMatchObject(closed);
    await expect(store().switchTo(first)).rejects.toThrow(/not the one begun/);
    await store().switchTo(second);
    await expect(store().switchTo(second)).rejects.toThrow(/not the one begun/);
  });

  test('builds can be switched again and again', async () => {
    for (const id of ['one', 'two', 'three']) {
      const build = await store().begin();
      await build.put([write(id, 1, book('a', 1))]);
      await store().switchTo(build);
      expect(ids(await everything(store().live()))).toEqual([id]);
    }
  });

  test('a closed store refuses everything', async () => {
    const reader = store().live();
    await store().close();
    await expect(reader.get('books', 'x')).rejects.toMatchObject(closed);
    await expect(reader.put([write('x', 1, book('a', 1))])).rejects.toMatchObject(closed);
    await expect(reader.checkpoint()).rejects.toMatchObject(closed);
    await expect(reader.saveCheckpoint({})).rejects.toMatchObject(closed);
    await expect(everything(reader)).rejects.toMatchObject(closed);
    await expect(store().begin()).rejects.toMatchObject(closed);
    await store().close();
  });

  test('documents, tombstones, checkpoint and the live build are unchanged after a reopening', async () => {
    const { reopen } = opened();
    if (reopen === undefined) return;
    const build = await store().begin();
    await build.put([write('x', 2, book('a', 1)), write('y', 2, undefined)]);
    const held = { 'channels/0': { offset: 2, identity: 'a' } };
    await build.saveCheckpoint({ 'channels/0': 3 }, held);
    await store().switchTo(build);
    const leftOver = await store().begin();
    await leftOver.put([write('z', 1, book('a', 1))]);

    const again = await reopen(definitions);
    expect(ids(await everything(again.live()))).toEqual(['x']);
    expect(await again.live().checkpoint()).toEqual({ 'channels/0': 3 });
    expect(await again.live().heldRecords()).toEqual(held);
    await again.live().put([write('y', 1, book('a', 1)), write('x', 1, book('a', 9))]);
    expect(await everything(again.live())).toEqual([{ id: 'x', version: 2, value: book('a', 1) }]);
    expect(await again.live().count('books', { index: 'byShelf', equals: ['a'] })).toBe(1);
    expect(await everything(await again.begin())).toEqual([]);
  });
}
