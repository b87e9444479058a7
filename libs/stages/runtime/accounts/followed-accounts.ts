// The accounts of all workspaces, followed from `accounts`: one copy for all partitions of a process, credentials
// sealed.
import type { RecordOn } from '../../../domain/messages-of.ts';
import type { Sealed } from '../../../domain/secrets/sealed.ts';
import type { CheckedLog } from '../../loop/reading/checked-log.ts';
import type { MalformedRecord } from '../../loop/reading/unusable.ts';
import { isTombstone } from '../../loop/restoring/definitions.ts';
import type { TaskContext } from '../../loop/stage.ts';

export interface FollowedAccount {
  readonly workspace: string;
  /** Slug. */
  readonly app: string;
  /** JSON object of texts. */
  readonly credentials: Sealed;
}

/** A page is processed within one turn of the event loop. */
const page = { recordsMax: 1_000, bytesMax: 1024 * 1024 };
/** Ids of accounts that are gone; one beyond costs its runs a look at the log's end. */
const goneMax = 10_000;

export class FollowedAccounts {
  readonly #byId = new Map<string, FollowedAccount>();
  /** The oldest first. */
  readonly #gone = new Set<string>();
  #next = 0;
  #reading: Promise<void> | undefined;

  /** The offset up to which `accounts` was read, by any partition. */
  get next(): number {
    return this.#next;
  }

  /** Whether `get` tells for certain, without reading on. */
  isKnown(accountId: string): boolean {
    return this.#byId.has(accountId) || this.#gone.has(accountId);
  }

  /** Undefined: it is not known, or gone. */
  get(accountId: string): FollowedAccount | undefined {
    return this.#byId.get(accountId);
  }

  /** Skips what another partition has taken. */
  take(record: RecordOn<'accounts'>): void {
    if (record.offset < this.#next) return;
    this.#next = record.offset + 1;
    if (isTombstone(record)) return this.#end(record.key);
    const { accountId, app, credentials } = record.data;
    this.#gone.delete(accountId);
    this.#byId.set(accountId, { workspace: record.workspace, app, credentials });
  }

  takePage(records: readonly RecordOn<'accounts'>[], next: number, tolerate: TaskContext['tolerate']): void {
    for (const record of records) tolerate(record, () => this.take(record));
    this.readTo(next);
  }

  /** For an unusable record: the account stays as it was read before. */
  pass({ offset }: MalformedRecord): void {
    this.readTo(offset + 1);
  }

  readTo(next: number): void {
    this.#next = Math.max(next, this.#next);
  }

  /**
   * Reads to the end: afterwards each of the ids is known. A source's configuration names accounts that stood before
   * it, so what is not found there is gone. Throws PortError and NewerRecordError.
   */
  async settle(log: Pick<CheckedLog, 'read' | 'settledEnd'>, accountIds: readonly string[]): Promise<void> {
    // A read that is under way may have begun before the account was created.
    await this.#reading?.catch(() => undefined);
    this.#reading ??= this.#settle(log).finally(() => (this.#reading = undefined));
    await this.#reading;
    for (const accountId of accountIds) if (!this.#byId.has(accountId)) this.#end(accountId);
  }

  /** Reads to the end as it is now. Throws PortError and NewerRecordError. */
  async restore(log: Pick<CheckedLog, 'read' | 'end'>): Promise<void> {
    await this.#readTo(log, await log.end('accounts', 0));
  }

  async #settle(log: Pick<CheckedLog, 'read' | 'settledEnd'>): Promise<void> {
    await this.#readTo(log, await log.settledEnd('accounts', 0));
  }

  async #readTo(log: Pick<CheckedLog, 'read'>, to: number): Promise<void> {
    for (let from = this.#next; from < to; from = this.#next) {
      const { records, malformed, next } = await log.read('accounts', 0, from, { ...page, to });
      for (const record of records) this.take(record);
      for (const one of malformed) this.pass(one);
      this.readTo(next);
      if (next <= from) return;
    }
  }

  #end(accountId: string): void {
    this.#byId.delete(accountId);
    this.#gone.add(accountId);
    const [oldest] = this.#gone;
    if (this.#gone.size > goneMax && oldest !== undefined) this.#gone.delete(oldest);
  }
}
