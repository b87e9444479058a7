// Collects what a verifier found wrong, each finding with its place.
import { type PartitionId, partitionName } from './file/format.ts';

export type FindingKind =
  /** A record is not the one that was signed. */
  | 'changed'
  /** A signed record is not in the export. */
  | 'missing'
  /** A record is in the export that was never signed at this place. */
  | 'added'
  /** A signed record is at another place. */
  | 'moved'
  /** The records between two checkpoints are not those that were signed, and it cannot be determined which of them. */
  | 'differs'
  /** The export holds only the hash of a record that was asked for. */
  | 'withheld'
  /** The export holds a record that was not asked for. */
  | 'unasked'
  /** A checkpoint is not signed by a trusted key. */
  | 'signature'
  /** A checkpoint is missing, or does not follow from the previous one. */
  | 'checkpoint'
  /** History differs from a checkpoint that was kept outside. */
  | 'rewritten'
  /** A line is not as the service writes it. */
  | 'line'
  /** The file is not as it was sent: cut off, or changed in an unsigned part. */
  | 'file';

export interface Finding {
  readonly kind: FindingKind;
  readonly message: string;
  /** The line number in the file, from 1. */
  readonly line?: number;
  readonly topic?: string;
  readonly partition?: number;
  /** The record's number in its partition, from 0. */
  readonly index?: number;
  /** The record's id, if the file holds it. */
  readonly id?: string;
}

/** The most findings that are listed; the report counts the others, too. */
export const findingsMax = 1_000;

export class Findings {
  readonly #list: Finding[] = [];
  #count = 0;

  get list(): readonly Finding[] {
    return this.#list;
  }

  /** The number of all findings, also of those beyond the list's bound. */
  get count(): number {
    return this.#count;
  }

  add(finding: Finding): void {
    this.#count += 1;
    if (this.#list.length < findingsMax) this.#list.push(finding);
  }

  /** Adds a finding about a record, or, with a message that begins with a colon, about a partition. */
  addAt(
    kind: FindingKind,
    partitionId: PartitionId,
    message: string,
    details: Pick<Finding, 'line' | 'index' | 'id'> = {},
  ): void {
    const { topic, partition } = partitionId;
    const { index, id } = details;
    const location = index === undefined ? partitionName(partitionId) : `${partitionName(partitionId)} record ${index}`;
    this.add({
      kind,
      topic,
      partition,
      ...details,
      message: `${location}${id === undefined ? '' : ` (${id})`}${message.startsWith(':') ? '' : ' '}${message}`,
    });
  }
}
