// Keeps the trusted keys: those that the auditor supplied, and those that these vouched for.
import type { KeyObject } from 'node:crypto';
import { type Checkpoint, isSigned, keyIdOf, publicKeyOf } from '../checkpoint.ts';
import type { PublicKey, SignedLine } from './file/format.ts';

/** A service rotates its key now and then; nobody supplies more keys than this. */
const keysMax = 10_000;

export class AuditorKeyring {
  readonly #trusted = new Map<string, KeyObject>();
  /** Known keys for which no trusted key has vouched. */
  readonly #untrusted = new Map<string, KeyObject>();

  /** Without keys those of the export are trusted. */
  constructor(trusted: readonly string[] = []) {
    for (const text of trusted) {
      const key = publicKeyOf(text);
      if (key === undefined) throw new Error('an Ed25519 public key in base64 is expected');
      this.#trusted.set(keyIdOf(text), key);
    }
  }

  get trusted(): readonly string[] {
    return [...this.#trusted.keys()];
  }

  /** Adds the keys that the file itself names: a key's id follows from the key, so a false one gains nothing. */
  addKeys(keys: readonly PublicKey[], areTrusted: boolean): void {
    for (const { publicKey: text } of keys.slice(0, keysMax)) {
      const key = publicKeyOf(text);
      if (key === undefined) continue;
      (areTrusted ? this.#trusted : this.#untrusted).set(keyIdOf(text), key);
    }
  }

  /**
   * Returns what is wrong with the signatures; undefined when they are valid. After a rotation the old key vouches for
   * the new.
   */
  faultOf({ keyId }: Checkpoint, { line, signatures }: SignedLine): string | undefined {
    const signingKey = this.#trusted.get(keyId) ?? this.#untrusted.get(keyId);
    if (signingKey === undefined) return `is signed by a key that was not given (${keyId})`;
    if (!isSignedBy(line, signatures, keyId, signingKey)) return `does not bear the signature of key ${keyId}`;
    if (this.#trusted.has(keyId)) return undefined;
    const isVouched = [...this.#trusted].some(([id, key]) => isSignedBy(line, signatures, id, key));
    if (!isVouched) return `is signed by key ${keyId}, for which no trusted key has vouched`;
    this.#trusted.set(keyId, signingKey);
    return undefined;
  }
}

/** More signatures than a rotation needs are refused unread. */
const signaturesMax = 4;

function isSignedBy(line: string, signatures: SignedLine['signatures'], keyId: string, key: KeyObject): boolean {
  if (signatures.length > signaturesMax) return false;
  return signatures.some(
    (each) => each.keyId === keyId && isCanonical(each.signature) && isSigned(line, each.signature, key),
  );
}

/** Several base64 texts can decode to the same bytes; only the canonical one is accepted. */
const isCanonical = (text: string): boolean => Buffer.from(text, 'base64').toString('base64') === text;
