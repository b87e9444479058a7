// Follows `accounts` and keeps the accounts of all workspaces, with sealed credentials: one copy for all partitions of
// a process.
import type { RecordOn } from '../../../domain/messages-of.ts';
import type { Sealed } from '../../../domain/secrets/sealed.ts';
import type { CheckedLog } from '../../loop/reading/checked-log.ts';
import type { MalformedRecord } from '../../loop/reading/unusable.ts';
import { isTombstone } from '../../loop/restoring/definitions.ts';
import type { TaskContext } from '../../loop/stage.ts';

export interface FollowedAccount {
  readonly workspace: string;
  /** The app's slug. */
  readonly app: string;
  /** A sealed JSON object of texts. */
  readonly credentials: Sealed;
}

/** A page is processed within one turn of the event loop. */
const page = { recordsMax: 1_000, bytesMax: 1024 * 1024 };
/** The most ids of deleted accounts that are remembered; for any other, a run reads the log to its end. */
const deletedMax = 10_000;

export class FollowedAccounts {
  readonly #byId = new Map<string, FollowedAccount>();
  /** Ids of deleted accounts, the oldest first. */
  readonly #deleted = new Set<string>();
  #next = 0;
  #reading: Promise<void> | undefined;

  /** The offset up to which `accounts` was read, by any partition. */
  get next(): number {
    return this.#next;
  }

  /** Whether `get` is certain, so that nothing more need be read. */
  isKnown(accountId: string): boolean {
    return this.#byId.has(accountId) || this.#deleted.has(accountId);
  }

  /** Undefined: the account is not known, or was deleted. */
  get(accountId: string): FollowedAccount | undefined {
    return this.#byId.get(accountId);
  }

  /** Applies a record; skips what another partition has already read. */
  apply(record: RecordOn<'accounts'>): void {
    if (record.offset < this.#next) return;
    this.#next = record.offset + 1;
    if (isTombstone(record)) return this.#markDeleted(record.key);
    const { accountId, app, credentials } = record.data;
    this.#deleted.delete(accountId);
    this.#byId.set(accountId, { workspace: record.workspace, app, credentials });
  }

  applyPage(records: readonly RecordOn<'accounts'>[], next: number, tolerate: TaskContext['tolerate']): void {
    for (const record of records) tolerate(record, () => this.apply(record));
    this.markRead(next);
  }

  /** For a record that cannot be read: the account stays as it was read before. */
  skip({ offset }: MalformedRecord): void {
    this.markRead(offset + 1);
  }

  markRead(next: number): void {
    this.#next = Math.max(next, this.#next);
  }

  /**
   * Reads to the end: afterwards each of the ids is known. A source's configuration names accounts that were created
   * before it, so an account that is not found was deleted. Throws PortError and NewerRecordError.
   */
  async catchUp(log: Pick<CheckedLog, 'read' | 'settledEnd'>, accountIds: readonly string[]): Promise<void> {
    // A read in progress might have begun before the account was created.
    await this.#reading?.catch(() => undefined);
    this.#reading ??= this.#readToSettledEnd(log).finally(() => (this.#reading = undefined));
    await this.#reading;
    for (const accountId of accountIds) if (!this.#byId.has(accountId)) this.#markDeleted(accountId);
  }

  /** Reads to the current end. Throws PortError and NewerRecordError. */
  async restore(log: Pick<CheckedLog, 'read' | 'end'>): Promise<void> {
    await this.#readTo(log, await log.end('accounts', 0));
  }

  async #readToSettledEnd(log: Pick<CheckedLog, 'read' | 'settledEnd'>): Promise<void> {
    await this.#readTo(log, await log.settledEnd('accounts', 0));
  }

  async #readTo(log: Pick<CheckedLog, 'read'>, to: number): Promise<void> {
    for (let from = this.#next; from < to; from = this.#next) {
      const { records, malformed, next } = await log.read('accounts', 0, from, { ...page, to });
      for (const record of records) this.apply(record);
      for (const one of malformed) this.skip(one);
      this.markRead(next);
      if (next <= from) return;
    }
  }

  #markDeleted(accountId: string): void {
    this.#byId.delete(accountId);
    this.#deleted.add(accountId);
    const [oldest] = this.#deleted;
    if (this.#deleted.size > deletedMax && oldest !== undefined) this.#deleted.delete(oldest);
  }
}
