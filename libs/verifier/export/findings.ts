// What a verifier found wrong, each with the place where it stands.
import { type Place, placeName } from './file/format.ts';

export type FindingKind =
  /** A record is not the one that was signed. */
  | 'changed'
  /** A record that was signed is not there. */
  | 'missing'
  /** A record is there that was never signed at this place. */
  | 'added'
  /** A record that was signed stands at another place. */
  | 'moved'
  /** The records between two checkpoints are not those that were signed, and nothing tells which of them. */
  | 'differs'
  /** A record that was asked for is there as a hash only. */
  | 'withheld'
  /** A record stands in the export that was not asked for. */
  | 'unasked'
  /** A checkpoint is signed by nobody who is trusted. */
  | 'signature'
  /** A checkpoint is missing, or does not follow from the one before. */
  | 'checkpoint'
  /** A checkpoint that was kept elsewhere says otherwise. */
  | 'rewritten'
  /** A line is not as the service writes it. */
  | 'line'
  /** The file is not as it was sent: cut off, or changed where nothing is signed. */
  | 'file';

export interface Finding {
  readonly kind: FindingKind;
  readonly message: string;
  /** In the file, from 1. */
  readonly line?: number;
  readonly topic?: string;
  readonly partition?: number;
  /** Of the record in its partition, from 0. */
  readonly index?: number;
  /** The record's id, where the file tells it. */
  readonly id?: string;
}

/** As many as anybody reads; the report counts the rest. */
export const findingsMax = 1_000;

export class Findings {
  readonly #list: Finding[] = [];
  #count = 0;

  get list(): readonly Finding[] {
    return this.#list;
  }

  /** All, also those beyond the list's bound. */
  get count(): number {
    return this.#count;
  }

  add(finding: Finding): void {
    this.#count += 1;
    if (this.#list.length < findingsMax) this.#list.push(finding);
  }

  /** About a record, or with a message that begins with a colon about a partition. */
  at(kind: FindingKind, place: Place, message: string, more: Pick<Finding, 'line' | 'index' | 'id'> = {}): void {
    const { topic, partition } = place;
    const { index, id } = more;
    const named = index === undefined ? placeName(place) : `${placeName(place)} record ${index}`;
    this.add({
      kind,
      topic,
      partition,
      ...more,
      message: `${named}${id === undefined ? '' : ` (${id})`}${message.startsWith(':') ? '' : ' '}${message}`,
    });
  }
}
