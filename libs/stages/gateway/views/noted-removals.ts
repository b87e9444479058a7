// Documents that a note says are gone: readers leave them out while the projection still takes them away.
import { viewDefinitions } from '../../../domain/views/index.ts';
import type { RemovalView } from '../../../domain/views/index.ts';
import type { ViewDocument, ViewGroup } from '../../../view-store/view-store.ts';

/** The fields that an index of a view matches, with the values to match. */
type Matched = ReadonlyMap<string, unknown>;

export class NotedDocuments {
  readonly #view: string;
  readonly #notes: readonly { readonly note: RemovalView; readonly matched: Matched }[];

  /** All notes about the view. */
  constructor(view: string, notes: readonly RemovalView[]) {
    this.#view = view;
    this.#notes = notes.map((note) => ({ note, matched: this.#matchedBy(note) }));
  }

  holds({ value, version }: ViewDocument): boolean {
    return this.#notes.some(
      ({ note, matched }) => version < note.place && [...matched].every(([field, wanted]) => value[field] === wanted),
    );
  }

  /** Whether no document of the list is left. */
  takeAll(list: ViewGroup): boolean {
    const asked = this.#matchedBy(list);
    return this.#notes.some(({ matched }) => contains(asked, matched));
  }

  /** The groups that are part of the list. */
  within(list: ViewGroup): readonly ViewGroup[] {
    const asked = this.#matchedBy(list);
    return this.#notes
      .filter(({ matched }) => contains(matched, asked))
      .map(({ note: { index, equals } }) => ({ index, equals }));
  }

  /** What a list is sorted by. */
  sortOf({ index }: Pick<ViewGroup, 'index'>, { value }: ViewDocument): string | number {
    return value[this.#fieldsOf(index).at(-1) ?? ''] as string | number;
  }

  #fieldsOf(index: string): readonly string[] {
    return viewDefinitions.find(({ name }) => name === this.#view)?.indexes[index] ?? [];
  }

  #matchedBy({ index, equals }: ViewGroup): Matched {
    const fields = this.#fieldsOf(index);
    return new Map(equals.map((value, i) => [fields[i] ?? '', value]));
  }
}

/** Whether what matches `narrow` matches `wide` too. */
const contains = (narrow: Matched, wide: Matched): boolean =>
  [...wide].every(([field, value]) => narrow.get(field) === value);
