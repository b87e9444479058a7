// Gathers what one checkpoint will state about the records it adds, while they are counted.
import type { Edge } from '../../verifier/tree/edge.ts';
import type { Digest } from '../../verifier/tree/hashes.ts';
import type { Millis } from '../message.ts';
import type { SubtreeRoot } from './messages.ts';
import { LeafPrints } from './leaf-prints.ts';

/** A number of records from the beginning, and the offset after them. */
export interface RecordPrefix {
  readonly count: number;
  readonly offset: number;
}

export interface WindowStart {
  readonly first: number;
  readonly offset: number;
  readonly edge: readonly string[];
  readonly newest: Millis;
}

interface ClosedSummary {
  readonly root: string;
  readonly edge: readonly string[];
  readonly trimmed: RecordPrefix;
}

export class Window {
  readonly first: number;
  readonly offset: number;
  readonly edge: readonly string[];
  readonly subtrees: SubtreeRoot[] = [];
  readonly prints = new LeafPrints();
  #count: number;
  #newest: Millis;
  #end: number;
  #summary: ClosedSummary | undefined;

  constructor({ first, offset, edge, newest }: WindowStart) {
    this.first = first;
    this.offset = offset;
    this.edge = edge;
    this.#count = first;
    this.#newest = newest;
    this.#end = offset;
  }

  get count(): number {
    return this.#count;
  }

  get newest(): Millis {
    return this.#newest;
  }

  get end(): number {
    return this.#end;
  }

  get root(): string {
    return this.#closedSummary.root;
  }

  get edgeAfter(): readonly string[] {
    return this.#closedSummary.edge;
  }

  get trimmed(): RecordPrefix {
    return this.#closedSummary.trimmed;
  }

  add(leaf: Digest, time: Millis, next: number): void {
    this.#count += 1;
    this.#newest = Math.max(this.#newest, time);
    this.#end = next;
    this.prints.add(leaf);
  }

  close(edge: Edge, trimmed: RecordPrefix): void {
    this.#summary = { root: edge.root().toString('hex'), edge: edge.toHex(), trimmed };
  }

  get #closedSummary(): ClosedSummary {
    if (this.#summary === undefined) throw new Error('the window is still open');
    return this.#summary;
  }
}
