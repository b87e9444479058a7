// What a stream shows of a source's records: which of them, and which of their fields.
import type { ViewDocument } from '../../../../view-store/view-store.ts';
import { chosenFields } from '../../rim/answer.ts';
import type { AnyRequestDto } from '../../rim/input/any-request.dto.ts';
import { frameOf } from './frame.ts';
import type { StreamKind } from './kind.ts';

export interface Asked extends AnyRequestDto {
  /** Undefined: every channel but those of the service. */
  readonly event_name?: string;
}

/** What names of the service's own channels begin with. */
const ownPrefix = '$';

export class Selection {
  readonly #kind: StreamKind;
  readonly #asked: Asked;
  /** Streams with the same one are sent the same bytes. */
  readonly key: string;

  constructor(kind: StreamKind, asked: Asked) {
    const { event_name = null, include = null, exclude = null } = asked;
    this.#kind = kind;
    this.#asked = asked;
    this.key = JSON.stringify([event_name, include, exclude]);
  }

  /** Undefined: none of them is shown. */
  encode(documents: readonly ViewDocument[]): Buffer | undefined {
    const text = documents
      .filter((document) => this.#shows(document))
      .map((document) => frameOf(this.#kind.idOf(document), chosenFields(this.#kind.present(document), this.#asked)))
      .join('');
    return text === '' ? undefined : Buffer.from(text);
  }

  #shows(document: ViewDocument): boolean {
    const { event_name: wanted } = this.#asked;
    const channel = this.#kind.channelOf(document);
    if (channel === undefined) return true;
    return typeof wanted === 'string' ? channel === wanted : !channel.startsWith(ownPrefix);
  }
}
