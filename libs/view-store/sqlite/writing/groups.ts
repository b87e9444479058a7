// Keeps the groups of one build: each has a number, which replaces its values in documents and indexes, and a count.
import type Database from 'better-sqlite3';
import { groupsOf } from '../tables/schema.ts';

/** Groups whose numbers are cached in memory, some 150 bytes each. */
const cachedMax = 10_000;

export class Groups {
  readonly #find: Database.Statement;
  readonly #insert: Database.Statement;
  readonly #count: Database.Statement;
  readonly #removeEmpty: Database.Statement;
  /** Numbers by name. */
  readonly #numbers = new Map<string, number>();
  /** By number: the change of its count of documents, collected over one transaction. */
  readonly #changes = new Map<number, number>();

  constructor(database: Database.Database, build: string) {
    const table = groupsOf(build);
    this.#find = database.prepare(`SELECT number FROM ${table} WHERE name = ?`).pluck();
    this.#insert = database.prepare(`INSERT INTO ${table} (name, documents) VALUES (?, 0)`);
    this.#count = database.prepare(`UPDATE ${table} SET documents = documents + ? WHERE number = ?`);
    this.#removeEmpty = database
      .prepare(`DELETE FROM ${table} WHERE number = ? AND documents = 0 RETURNING name`)
      .pluck();
  }

  /** Returns the group's number, and adds the group if there is none. Call in a transaction. */
  numberOf(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const number = (this.#find.get(name) as number | undefined) ?? this.#insertGroup(name);
    if (this.#numbers.size >= cachedMax) this.#numbers.clear();
    this.#numbers.set(name, number);
    return number;
  }

  add(number: number, documents: number): void {
    this.#changes.set(number, (this.#changes.get(number) ?? 0) + documents);
  }

  /** Writes the changed counts; call at the end of each transaction. A group exists as long as it has a document. */
  save(): void {
    for (const [number, documents] of this.#changes) {
      if (documents !== 0) this.#count.run(documents, number);
      const removed = documents > 0 ? undefined : (this.#removeEmpty.get(number) as string | undefined);
      if (removed !== undefined) this.#numbers.delete(removed);
    }
    this.#changes.clear();
  }

  /** Call after a failed transaction: discards what it added and counted. */
  discardChanges(): void {
    this.#numbers.clear();
    this.#changes.clear();
  }

  #insertGroup(name: string): number {
    const number = Number(this.#insert.run(name).lastInsertRowid);
    this.add(number, 0);
    return number;
  }
}
