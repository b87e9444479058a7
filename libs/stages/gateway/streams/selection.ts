// Selects and encodes the fields of its records that a stream's client asked for.
import type { ViewDocument } from '../../../view-store/view-store.ts';
import { selectFields } from '../http/answer-envelope.ts';
import type { AnyRequestDto } from '../http/input/any-request.dto.ts';
import { frameOf } from './frame.ts';
import type { FollowedChannel } from './stream-kind.ts';

export class FieldSelection {
  readonly #followed: FollowedChannel;
  readonly #fields: ReadonlySet<string>;
  readonly #isAll: boolean;
  /** Streams of the same records with the same key get the same bytes; unknown field names do not change it. */
  readonly key: string;

  constructor(followed: FollowedChannel, request: AnyRequestDto) {
    const { fields } = followed.kind;
    const selected = Object.keys(selectFields(fields, request)).toSorted();
    this.#followed = followed;
    this.#fields = new Set(selected);
    this.#isAll = selected.length === Object.keys(fields).length;
    this.key = selected.join();
  }

  /** Undefined: the stream shows none of the documents. */
  encode(documents: readonly ViewDocument[]): Buffer | undefined {
    const { kind, channel } = this.#followed;
    const text = documents
      .filter((document) => channel !== undefined || kind.isShown(document))
      .map((document) => frameOf(kind.idOf(document), this.#selectFields(kind.present(document))))
      .join('');
    return text === '' ? undefined : Buffer.from(text);
  }

  #selectFields(record: object): object {
    if (this.#isAll) return record;
    return Object.fromEntries(Object.entries(record).filter(([name]) => this.#fields.has(name)));
  }
}
