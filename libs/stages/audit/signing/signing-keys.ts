// Keeps the keys that sign checkpoints: the newest on the log signs. A new one is appended before it signs.
import { createPublicKey } from 'node:crypto';
import type { Ambient } from '../../../domain/ambient.ts';
import { createAuditKey, openAuditKey } from '../../../domain/audit/key.ts';
import { seedBytes } from '../../../domain/keys/ed25519-seed.ts';
import type { AuditKey } from '../../../domain/audit/key.ts';
import type { AuditCommand, AuditKeyMade, TreeMoved } from '../../../domain/audit/messages.ts';
import { nonceBytes } from '../../../domain/secrets/seal.ts';
import { WrongMasterKeyError } from '../../../domain/workspace/keyring.ts';
import { isSigned } from '../../../verifier/checkpoint.ts';
import { keyRecord } from './checkpoint-records.ts';
import type { AuditOutgoing } from './checkpoint-records.ts';

export interface SigningKeysOptions {
  readonly masterKey: Buffer;
  readonly ambient: Ambient;
  /** The keys on the log, oldest first. */
  readonly known: readonly AuditKeyMade[];
}

interface UnwrittenKey {
  readonly made: AuditKeyMade;
  readonly command: AuditCommand | undefined;
}

export class SigningKeys {
  readonly #options: SigningKeysOptions;
  readonly #known: Map<string, AuditKeyMade>;
  /** Keys that were made, and are not appended yet. */
  #unwritten: UnwrittenKey[] = [];
  #key: AuditKey;

  /** Throws WrongMasterKeyError if the master key decrypts no key of the log. */
  constructor(options: SigningKeysOptions) {
    const { known } = options;
    this.#options = options;
    this.#known = new Map(known.map((made) => [made.keyId, made]));
    if (known.length === 0) this.#make(undefined);
    const key = this.#newestDecryptable();
    if (key === undefined) throw new WrongMasterKeyError('audit key');
    this.#key = key;
  }

  /**
   * Makes a new key, which signs after `take` has returned it. A command that is read again after a kill changes
   * nothing.
   */
  requestKey(command: AuditCommand): void {
    const newest = this.#unwritten.at(-1)?.made ?? this.#key;
    if (newest.keyId === command.data.formerKeyId) this.#make(command);
  }

  /** Whether `take` would return records. */
  get hasUnwritten(): boolean {
    return this.#unwritten.length > 0;
  }

  /** Records of new keys, for the append before the first checkpoint that they sign. */
  take(at: number): readonly AuditOutgoing[] {
    const unwritten = this.#unwritten;
    this.#unwritten = [];
    for (const { made } of unwritten) {
      this.#known.set(made.keyId, made);
      this.#key = this.keyOf(made.keyId) ?? this.#key;
    }
    return unwritten.map(({ made, command }) => keyRecord(made, at, command));
  }

  /** The key that signs. */
  get key(): AuditKey {
    return this.#key;
  }

  /** Undefined when the log does not hold the key, or the master key does not decrypt it. */
  keyOf(keyId: string): AuditKey | undefined {
    const made = this.#known.get(keyId);
    return made === undefined ? undefined : openAuditKey(this.#options.masterKey, made);
  }

  /** Whether a key that the master key decrypts has signed the line. */
  hasSigned({ line, signatures }: Pick<TreeMoved, 'line' | 'signatures'>): boolean {
    return signatures.some(({ keyId, signature }) => {
      const key = this.keyOf(keyId);
      return key !== undefined && isSigned(line, signature, createPublicKey(key.privateKey));
    });
  }

  /** The newest key that the master key decrypts: if it decrypts any, the others were not written by this service. */
  #newestDecryptable(): AuditKey | undefined {
    for (const made of [...this.#known.values(), ...this.#unwritten.map((each) => each.made)].toReversed()) {
      const opened = openAuditKey(this.#options.masterKey, made);
      if (opened !== undefined) return opened;
    }
    return undefined;
  }

  #make(command: AuditCommand | undefined): void {
    const { masterKey, ambient } = this.#options;
    const made = createAuditKey(masterKey, ambient.randomBytes(seedBytes), ambient.randomBytes(nonceBytes));
    this.#unwritten.push({ made, command });
  }
}
