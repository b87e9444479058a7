// A source's `$.service.db`: one map of JSON texts, unsealed when first needed and sealed again only after a change.
import type { Json } from '../../../domain/json.ts';
import type { Sealed } from '../../../domain/secrets/sealed.ts';
import { sizes } from '../../../domain/sizes.ts';

/** A key and its JSON text, or null to remove it. */
export type DbWrite = readonly [string, string | null];

/** Opens and seals with the workspace's key. */
export interface Sealer {
  open(sealed: Sealed): Json;
  seal(jsonText: string): Sealed | null;
}

/** The quotes, colon and comma of an entry. */
const entryOverheadBytes = 4;
/** The base64 of nonce and tag, in addition to the text. */
const sealOverheadBytes = 64;

const entryBytes = (key: string, text: string): number =>
  Buffer.byteLength(JSON.stringify(key)) + Buffer.byteLength(text) + entryOverheadBytes;

/** An upper bound of what writes add to the sealed map. */
export const writesBytes = (writes: readonly DbWrite[]): number =>
  base64Bytes(writes.reduce((sum, [key, text]) => sum + (text === null ? 0 : entryBytes(key, text)), 0));

const base64Bytes = (bytes: number): number => Math.ceil((bytes * 4) / 3);

export class SourceDb {
  readonly #sealer: Sealer;
  #sealed: Sealed | null;
  #changed = false;
  #entries: Map<string, string> | undefined;
  #isUnreadable = false;
  #bytes = 0;

  constructor(sealed: Sealed | null, sealer: Sealer) {
    this.#sealed = sealed;
    this.#sealer = sealer;
  }

  /** Whether the stored map cannot be unsealed: then nothing may run with it, and it is left unchanged. */
  get isUnreadable(): boolean {
    this.#loadEntries();
    return this.#isUnreadable;
  }

  /** An upper bound of the sealed text's size. */
  get sealedBytes(): number {
    return this.#changed ? base64Bytes(this.#bytes) + sealOverheadBytes : (this.#sealed?.$sealed.length ?? 0);
  }

  /** A copy of the map with `writes` applied. */
  with(writes: readonly DbWrite[]): Readonly<Record<string, string>> {
    const entries = new Map(this.#loadEntries());
    for (const [key, text] of writes) {
      if (text === null) entries.delete(key);
      else entries.set(key, text);
    }
    return Object.fromEntries(entries);
  }

  /** Returns the keys of writes that were left out because the map would no longer fit into its record. */
  apply(writes: readonly DbWrite[]): readonly string[] {
    return writes.filter(([key, text]) => !this.#write(key, text)).map(([key]) => key);
  }

  /** The sealed map; unchanged if nothing was written, null when empty. */
  seal(): Sealed | null {
    if (this.#changed) {
      const entries = [...this.#loadEntries()].map(([key, text]) => `${JSON.stringify(key)}:${text}`);
      this.#sealed = entries.length === 0 ? null : this.#sealer.seal(`{${entries.join(',')}}`);
      this.#changed = false;
    }
    return this.#sealed;
  }

  #write(key: string, text: string | null): boolean {
    const entries = this.#loadEntries();
    if (this.#isUnreadable) return false;
    const old = entries.get(key);
    const grown = (text === null ? 0 : entryBytes(key, text)) - (old === undefined ? 0 : entryBytes(key, old));
    if (grown > 0 && this.#bytes + grown > sizes.dbBytes) return false;
    if (text === null) entries.delete(key);
    else entries.set(key, text);
    this.#bytes += grown;
    this.#changed ||= old !== (text ?? undefined);
    return true;
  }

  #loadEntries(): Map<string, string> {
    if (this.#entries === undefined) {
      this.#entries = this.#unsealEntries();
      for (const [key, text] of this.#entries) this.#bytes += entryBytes(key, text);
    }
    return this.#entries;
  }

  /** Never throws: a damaged seal, or a value nested too deeply for `JSON.stringify`, closes the db. */
  #unsealEntries(): Map<string, string> {
    if (this.#sealed === null) return new Map();
    try {
      const values = this.#sealer.open(this.#sealed) as { readonly [key: string]: Json };
      return new Map(Object.entries(values).map(([key, value]) => [key, JSON.stringify(value)]));
    } catch {
      this.#isUnreadable = true;
      return new Map();
    }
  }
}
