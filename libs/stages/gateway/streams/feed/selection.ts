// What a stream shows of the records that it follows: the fields that were asked for.
import type { ViewDocument } from '../../../../view-store/view-store.ts';
import { chosenFields } from '../../rim/answer.ts';
import type { AnyRequestDto } from '../../rim/input/any-request.dto.ts';
import { frameOf } from './frame.ts';
import type { Followed } from './kind.ts';

export class Selection {
  readonly #followed: Followed;
  readonly #asked: AnyRequestDto;
  /** Streams of the same with the same one are sent the same bytes. */
  readonly key: string;

  constructor(followed: Followed, asked: AnyRequestDto) {
    const { include = null, exclude = null } = asked;
    this.#followed = followed;
    this.#asked = asked;
    this.key = JSON.stringify([include, exclude]);
  }

  /** Undefined: none of them is shown. */
  encode(documents: readonly ViewDocument[]): Buffer | undefined {
    const { kind, channel } = this.#followed;
    const text = documents
      .filter((document) => channel !== undefined || kind.isShown(document))
      .map((document) => frameOf(kind.idOf(document), chosenFields(kind.present(document), this.#asked)))
      .join('');
    return text === '' ? undefined : Buffer.from(text);
  }
}
