// Keeps the data keys up to date from `keys`.
import type { MessageOn, RecordOn } from '../../../domain/messages-of.ts';
import { closedKeyMessage } from '../../../domain/workspace/keyring.ts';
import type { TaskContext } from '../../loop/stage.ts';
import type { Vault } from '../source/vault.ts';

export class Keys {
  readonly #context: Pick<TaskContext, 'tolerate' | 'alerts'>;
  readonly #vault: Vault;
  #next: number | undefined;

  constructor(context: Pick<TaskContext, 'tolerate' | 'alerts'>, vault: Vault) {
    this.#context = context;
    this.#vault = vault;
  }

  /** The offset up to which `keys` was read; undefined: nothing was read yet. */
  get next(): number | undefined {
    return this.#next;
  }

  /** Throws WrongMasterKeyError. */
  take(records: readonly RecordOn<'keys'>[], next: number): void {
    for (const record of records) this.#context.tolerate(record, () => learnKey(this.#vault, record, this.#context));
    this.#vault.check();
    this.#next = next;
  }

  readTo(next: number): void {
    this.#next = next;
  }
}

/** Takes a record of `keys`. A key that does not open closes its own workspace only. */
export function learnKey(vault: Vault, record: MessageOn<'keys'>, { alerts }: Pick<TaskContext, 'alerts'>): void {
  const { workspace } = record;
  if (vault.accept(record) === 'closed') alerts.raise('seal_does_not_open', workspace, closedKeyMessage(workspace));
}
