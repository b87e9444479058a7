// Follows `keys` and passes the data keys on to the vault.
import type { RecordOn } from '../../../domain/messages-of.ts';
import { checkKeys } from '../../loop/alerts/closed-keys.ts';
import type { TaskContext } from '../../loop/stage.ts';
import type { Vault } from '../source/vault.ts';

export class DataKeys {
  readonly #context: Pick<TaskContext, 'tolerate' | 'alerts'>;
  readonly #vault: Vault;
  #next: number | undefined;

  constructor(context: Pick<TaskContext, 'tolerate' | 'alerts'>, vault: Vault) {
    this.#context = context;
    this.#vault = vault;
  }

  /** The offset up to which `keys` was read; undefined: nothing has been read yet. */
  get next(): number | undefined {
    return this.#next;
  }

  /** Throws WrongMasterKeyError. */
  apply(records: readonly RecordOn<'keys'>[], next: number): void {
    for (const record of records) this.#context.tolerate(record, () => this.#vault.accept(record));
    checkKeys(this.#vault, this.#context.alerts);
    this.#next = next;
  }

  markRead(next: number): void {
    this.#next = next;
  }
}
