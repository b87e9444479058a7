// The newest checkpoint of each partition and the public keys, from topic `trees`, which is read further on demand.
import type { AuditKeyMade, TreeMoved } from '../../../../../domain/audit/messages.ts';
import { isConsistentAuditKey, openAuditKey } from '../../../../../domain/audit/key.ts';
import { treeKey } from '../../../../../domain/audit/messages.ts';
import type { SignedTopic } from '../../../../../domain/flow.ts';
import type { MessageOn } from '../../../../../domain/messages-of.ts';
import { isUsable } from '../../../../../domain/record/check-record.ts';
import type { Log } from '../../../../../log/log.ts';

/** Small, so that other requests are answered between pages. */
const page = { recordsMax: 500, bytesMax: 1024 * 1024 };

export class Trees {
  readonly #log: Pick<Log, 'read' | 'end'>;
  readonly #masterKey: Buffer;
  readonly #heads = new Map<string, TreeMoved>();
  readonly #keys = new Map<string, Omit<AuditKeyMade, 'sealed'>>();
  #next = 0;
  #currentRead: Promise<void> | undefined;

  constructor(log: Pick<Log, 'read' | 'end'>, masterKey: Buffer) {
    this.#log = log;
    this.#masterKey = masterKey;
  }

  /** Resolves when all that was on the log at the call has been read. */
  async catchUp(): Promise<void> {
    // A read in progress might have begun before the last of these records were appended.
    await this.#currentRead;
    this.#currentRead ??= this.#readToEnd().finally(() => {
      this.#currentRead = undefined;
    });
    await this.#currentRead;
  }

  headOf(topic: SignedTopic, partition: number): TreeMoved | undefined {
    return this.#heads.get(treeKey(topic, partition));
  }

  /** Oldest first. Without keys that the master key cannot decrypt: audit never signed with those. */
  get keys(): readonly Omit<AuditKeyMade, 'sealed'>[] {
    return [...this.#keys.values()];
  }

  async #readToEnd(): Promise<void> {
    const end = await this.#log.end('trees', 0);
    while (this.#next < end) {
      const { records, next } = await this.#log.read('trees', 0, this.#next, { ...page, to: end });
      for (const record of records) if (isUsable('trees', record)) this.#apply(record);
      this.#next = Math.max(next, records.length === 0 ? end : 0);
    }
  }

  #apply(message: MessageOn<'trees'>): void {
    const { key, data } = message;
    if (data === undefined || data === null) return;
    if ('publicKey' in data) {
      if (!isConsistentAuditKey(key, data) || openAuditKey(this.#masterKey, data) === undefined) return;
      this.#keys.set(data.keyId, { keyId: data.keyId, publicKey: data.publicKey });
    } else if (key === treeKey(data.topic, data.partition)) this.#heads.set(key, data);
  }
}
