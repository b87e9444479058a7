// Selects and encodes the fields of its records that a stream's client asked for.
import type { ViewDocument } from '../../../view-store/view-store.ts';
import { chosenFields } from '../http/answer.ts';
import type { AnyRequestDto } from '../http/input/any-request.dto.ts';
import { frameOf } from './frame.ts';
import type { Followed } from './kind.ts';

export class FieldSelection {
  readonly #followed: Followed;
  readonly #fields: ReadonlySet<string>;
  readonly #isAll: boolean;
  /** Streams of the same records with the same key get the same bytes; unknown field names do not change it. */
  readonly key: string;

  constructor(followed: Followed, asked: AnyRequestDto) {
    const { fields } = followed.kind;
    const chosen = Object.keys(chosenFields(fields, asked)).toSorted();
    this.#followed = followed;
    this.#fields = new Set(chosen);
    this.#isAll = chosen.length === Object.keys(fields).length;
    this.key = chosen.join();
  }

  /** Undefined: the stream shows none of the documents. */
  encode(documents: readonly ViewDocument[]): Buffer | undefined {
    const { kind, channel } = this.#followed;
    const text = documents
      .filter((document) => channel !== undefined || kind.isShown(document))
      .map((document) => frameOf(kind.idOf(document), this.#chosen(kind.present(document))))
      .join('');
    return text === '' ? undefined : Buffer.from(text);
  }

  #chosen(record: object): object {
    if (this.#isAll) return record;
    return Object.fromEntries(Object.entries(record).filter(([name]) => this.#fields.has(name)));
  }
}
