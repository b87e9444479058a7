// The views with which the contract is tested, and short functions for writing to them.
import type { ViewBuild, ViewDefinition, ViewDocument, ViewStore, ViewValue, ViewWrite } from '../view-store.ts';

export interface OpenedViewStore {
  readonly store: ViewStore;
  /** Closes the store and opens its data again; absent if the data does not outlive it. */
  readonly reopen?: (definitions: readonly ViewDefinition[]) => Promise<ViewStore>;
  /** Closes the store and removes its data. */
  readonly dispose: () => Promise<void>;
}

export type OpenViewStore = (definitions: readonly ViewDefinition[]) => Promise<OpenedViewStore>;

export const definitions: readonly ViewDefinition[] = [
  {
    name: 'books',
    indexes: { byShelf: ['shelf', 'year'], byTitle: ['shelf', 'genre', 'title'], byYear: ['year'] },
  },
  { name: 'readers', indexes: { byName: ['name'] } },
  { name: 'loans', indexes: { byReader: ['reader', 'number'] }, unique: ['byReader'] },
];

export const book = (shelf: string, year: number, more: ViewValue = {}): ViewValue => ({
  shelf,
  year,
  genre: 'poetry',
  title: 'untitled',
  ...more,
});

export const write = (id: string, version: number, value: ViewValue | undefined): ViewWrite => ({
  view: 'books',
  id,
  version,
  value,
});

export const ids = (documents: readonly ViewDocument[]): string[] => documents.map(({ id }) => id);

export async function everything(build: ViewBuild, view = 'books'): Promise<ViewDocument[]> {
  const documents: ViewDocument[] = [];
  for await (const document of build.all(view)) documents.push(document);
  return documents;
}

/** Opens a store before each test and disposes of it afterwards. */
export function eachOpened(open: OpenViewStore): () => OpenedViewStore {
  let opened: OpenedViewStore | undefined;
  beforeEach(async () => void (opened = await open(definitions)));
  afterEach(async () => {
    await opened?.dispose();
    opened = undefined;
  });
  return () => {
    if (opened === undefined) throw new Error('No store is open');
    return opened;
  };
}
