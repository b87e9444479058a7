import { eventKey, eventOrder, viewDefinitions } from '../../../../domain/views/index.ts';
import { CheckpointWatch } from '../../../../view-store/checkpoint-watch.ts';
import { MemoryViewStore } from '../../../../view-store/view-store.fake.ts';
import { viewPages, positionIn, readPageOf } from './page-reader.ts';
import { SettledList } from './settled-list.ts';
import { eventViewWrite } from '../event-view-write.fake.ts';

const position = 'channels/0';
const eventId = (n: number): string => `${1_000 + n}-${n}`;

class Views {
  readonly build = new MemoryViewStore(viewDefinitions).live();
  readonly #watch = new CheckpointWatch(() => this.build.checkpoint());
  readonly #list = { view: 'events', index: 'byEmitter', equals: ['dc_1'] };

  /** Shows the events of the records at these offsets. */
  async show(...offsets: readonly number[]): Promise<void> {
    await this.build.put(offsets.map((n) => eventViewWrite('dc_1', eventId(n), n)));
  }

  saveCheckpoint(offset: number): Promise<void> {
    return this.build.saveCheckpoint({ [position]: offset });
  }

  /** Returns the offsets of a page and its cursors. */
  async page(paging: { limit?: number; after?: string; before?: string } = {}) {
    const { build } = this;
    const settledList = new SettledList({
      build,
      position,
      list: viewPages(build, this.#list),
      positionOf: positionIn(this.#list),
      waitUntilPassed: (version, timeoutMs) => this.#watch.waitUntilPassed(position, version, timeoutMs),
    });
    const cursors = {
      positionOfCursor: (cursor: string) => ({ sort: eventOrder(cursor), id: eventKey('dc_1', cursor) }),
      cursorOf: ({ value }: { readonly value: unknown }) => (value as { eventId: string }).eventId,
    };
    const { documents, page_info } = await readPageOf(settledList, cursors, paging);
    return { offsets: documents.map(({ version }) => version), info: page_info };
  }
}

test('pages list every event once while new ones arrive', async () => {
  const views = new Views();
  await views.show(...Array.from({ length: 50 }, (_, n) => n));
  await views.saveCheckpoint(50);
  const seen: number[] = [];
  for (let [next, after] = [50, undefined as string | null | undefined]; after !== null; next++) {
    const { offsets, info } = await views.page({ limit: 7, ...(after === undefined ? {} : { after }) });
    seen.push(...offsets);
    after = info.end_cursor;
    await views.show(next);
    await views.saveCheckpoint(next + 1);
  }
  expect(seen).toEqual(Array.from({ length: 50 }, (_, n) => 49 - n));
});

test('shows an event only with all earlier ones, so that newer pages miss none', async () => {
  const views = new Views();
  await views.show(0, 1);
  await views.saveCheckpoint(2);
  await views.show(4);
  const waiting = views.page();
  await new Promise((resolve) => setTimeout(resolve, 20));
  await views.show(2, 3, 6);
  await views.saveCheckpoint(5);
  const { offsets, info } = await waiting;
  expect(offsets).toEqual([4, 3, 2, 1, 0]);
  await views.show(5);
  await views.saveCheckpoint(7);
  expect((await views.page({ before: info.start_cursor ?? '' })).offsets).toEqual([6, 5]);
});

test('leaves out events that stalled views have not settled', async () => {
  const views = new Views();
  await views.show(0, 1, 4);
  await views.saveCheckpoint(2);
  expect((await views.page()).offsets).toEqual([1, 0]);
  expect((await views.page({ before: eventId(0) })).offsets).toEqual([1]);
});

test.each([1, 10])('a page of %d is not empty after a whole unsettled batch', async (limit) => {
  const views = new Views();
  await views.show(...Array.from({ length: 520 }, (_, n) => n));
  await views.saveCheckpoint(20);
  expect((await views.page({ limit })).offsets).toEqual(Array.from({ length: limit }, (_, n) => 19 - n));
});
