// Knows the documents that a note declares gone: readers leave them out while the projection still removes them.
import { viewDefinitions } from '../../../domain/views/index.ts';
import type { RemovalView } from '../../../domain/views/index.ts';
import type { ViewDocument, ViewGroup } from '../../../view-store/view-store.ts';

/** The fields of an index that must match, with their values. */
type Matched = ReadonlyMap<string, unknown>;

export class NotedDocuments {
  readonly #view: string;
  readonly #notes: readonly { readonly note: RemovalView; readonly matched: Matched }[];

  /** `notes`: all notes about the view. */
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

  /** The removed groups that are part of the list. */
  within(list: ViewGroup): readonly ViewGroup[] {
    const asked = this.#matchedBy(list);
    return this.#notes
      .filter(({ matched }) => contains(matched, asked))
      .map(({ note: { index, equals } }) => ({ index, equals }));
  }

  /** The value by which a list sorts the document. */
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

/** Whether everything that matches `narrow` also matches `wide`. */
const contains = (narrow: Matched, wide: Matched): boolean =>
  [...wide].every(([field, value]) => narrow.get(field) === value);
