// Knows the documents that a note declares gone: readers leave them out while the projection still removes them.
import { viewDefinitions } from '../../../domain/views/index.ts';
import type { RemovalView } from '../../../domain/views/index.ts';
import type { ViewDocument, ViewGroup } from '../../../view-store/view-store.ts';

/** The fields of an index that must match, with their values. */
type MatchedFields = ReadonlyMap<string, unknown>;

export class RemovedDocuments {
  readonly #view: string;
  readonly #notes: readonly { readonly note: RemovalView; readonly matched: MatchedFields }[];

  /** `notes`: all notes about the view. */
  constructor(view: string, notes: readonly RemovalView[]) {
    this.#view = view;
    this.#notes = notes.map((note) => ({ note, matched: this.#fieldsMatchedBy(note) }));
  }

  hides({ value, version }: ViewDocument): boolean {
    return this.#notes.some(
      ({ note, matched }) => version < note.place && [...matched].every(([field, wanted]) => value[field] === wanted),
    );
  }

  /** Whether no document of the list is left. */
  hidesAll(list: ViewGroup): boolean {
    const listFields = this.#fieldsMatchedBy(list);
    return this.#notes.some(({ matched }) => isSubset(listFields, matched));
  }

  /** The removed groups that are part of the list. */
  removedGroupsIn(list: ViewGroup): readonly ViewGroup[] {
    const listFields = this.#fieldsMatchedBy(list);
    return this.#notes
      .filter(({ matched }) => isSubset(matched, listFields))
      .map(({ note: { index, equals } }) => ({ index, equals }));
  }

  /** The value by which a list sorts the document. */
  sortOf({ index }: Pick<ViewGroup, 'index'>, { value }: ViewDocument): string | number {
    return value[this.#fieldsOf(index).at(-1) ?? ''] as string | number;
  }

  #fieldsOf(index: string): readonly string[] {
    return viewDefinitions.find(({ name }) => name === this.#view)?.indexes[index] ?? [];
  }

  #fieldsMatchedBy({ index, equals }: ViewGroup): MatchedFields {
    const fields = this.#fieldsOf(index);
    return new Map(equals.map((value, i) => [fields[i] ?? '', value]));
  }
}

/** Whether everything that matches `narrow` also matches `wide`. */
const isSubset = (narrow: MatchedFields, wide: MatchedFields): boolean =>
  [...wide].every(([field, value]) => narrow.get(field) === value);
