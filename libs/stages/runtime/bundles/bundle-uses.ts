// Tracks which sources of a partition use which bundle on the log, and removes the bundles that none uses any more.
import { bundlePartKey, bundlePartsMax, bundleUseKey } from '../../../domain/component/bundle/messages.ts';
import type { BundleLocation } from '../../../domain/component/bundle/messages.ts';
import type { Cause } from '../../../domain/run/run-output.ts';
import { recordAfter } from '../../../domain/run/run-output.ts';
import { derivedId } from '../../../domain/id.ts';
import type { LogRecord, Millis } from '../../../domain/message.ts';
import type { MessageOn } from '../../../domain/messages-of.ts';
import { versionOf } from '../../../domain/record/record-version.ts';
import { chainFrom } from '../../../domain/trace/chain.ts';
import type { OutgoingOn } from '../../../log/index.ts';
import { isTombstone } from '../../loop/restoring/definitions.ts';
import type { Definition } from '../source/definitions.ts';
import type { PackedBundle } from './bundle-packer.ts';

/** The most uses ended per append: with the most parts each, their tombstones take some 700 KiB. */
const endedPerAppend = 64;

export interface BundleUsesOptions {
  readonly partition: number;
  /** Undefined: there is no such source. */
  readonly definition: (sourceId: string) => Definition | undefined;
}

/** A source, and the revision that brought its code. */
export interface BundleUser {
  readonly sourceId: string;
  readonly revision: number;
}

export class BundleUses {
  /** The bundle's place and its user, by the key of the use. */
  readonly #uses = new Map<string, BundleLocation & BundleUser>();
  readonly #bySource = new Map<string, Set<string>>();
  /** The place of each bundle on the log and the number of its uses, by hash. */
  readonly #stored = new Map<string, { readonly place: BundleLocation; count: number }>();
  /** The sources whose uses might have ended. */
  readonly #unchecked = new Set<string>();
  /** An offset on `bundles` at or before everything that is appended from now on. */
  #end: number;

  constructor(end: number) {
    this.#end = end;
  }

  /** Applies a record of the log; false: it is not about bundles. Ignores one with too many parts for a bundle. */
  accept(record: MessageOn<'state'>): boolean {
    if (record.type !== 'BundleUsed') return false;
    if (isTombstone(record)) this.#remove(record.key);
    else if (record.data.parts <= bundlePartsMax) this.#add(record.data);
    return true;
  }

  get hasAny(): boolean {
    return this.#uses.size > 0;
  }

  get sources(): Iterable<string> {
    return this.#bySource.keys();
  }

  storedPlaceFor(user: BundleUser): BundleLocation | undefined {
    const use = this.#uses.get(bundleUseKey(user.sourceId, user.revision));
    return use && placeOf(use);
  }

  /**
   * The records for the append that names this bundle: the use, and the bundle's parts if no source of this partition
   * uses it yet.
   */
  use(
    user: BundleUser,
    { hash, texts }: PackedBundle,
    { cause, now }: { readonly cause: Cause; readonly now: Millis },
  ): {
    readonly place: BundleLocation;
    readonly parts: readonly MessageOn<'bundles'>[];
    readonly use: MessageOn<'state'>;
  } {
    const stored = this.#stored.get(hash);
    const place = stored?.place ?? { hash, parts: texts.length, from: this.#end };
    const parts = stored === undefined ? texts : [];
    this.#add({ ...user, ...place });
    const fact = { type: 'BundleUsed', data: { ...user, ...place } } as const;
    const envelope = { ...recordAfter(cause, 'bundle', now), key: bundleUseKey(user.sourceId, user.revision) };
    return {
      place,
      parts: parts.map((text, part) => {
        const saved = { type: 'BundlePartSaved', data: { hash, part, text } } as const;
        const key = bundlePartKey(hash, part);
        return { ...recordAfter(cause, `bundle ${part}`, now), ...saved, key, version: versionOf(saved) };
      }),
      use: { ...envelope, ...fact, version: versionOf(fact) },
    };
  }

  /** Call when the definition of the source has changed, or the source is gone. */
  scheduleCheck(sourceId: string): void {
    if (this.#bySource.has(sourceId)) this.#unchecked.add(sourceId);
  }

  get isReady(): boolean {
    return this.#unchecked.size > 0;
  }

  /** Tombstones for uses that have ended, and for bundles that nobody uses any more. */
  takeTombstones(
    now: Millis,
    { partition, definition }: BundleUsesOptions,
  ): readonly OutgoingOn<'state' | 'bundles'>[] {
    const records: OutgoingOn<'state' | 'bundles'>[] = [];
    let remaining = endedPerAppend;
    for (const sourceId of this.#unchecked) {
      for (const key of this.#endedUses(sourceId, definition(sourceId))) {
        if (remaining-- <= 0) return records;
        const place = this.#remove(key);
        records.push({ topic: 'state', partition, record: tombstone('BundleUsed', key, now) });
        if (place === undefined || this.#stored.has(place.hash)) continue;
        for (let part = 0; part < place.parts; part++) {
          const record = tombstone('BundlePartSaved', bundlePartKey(place.hash, part), now);
          records.push({ topic: 'bundles', partition, record });
        }
      }
      this.#unchecked.delete(sourceId);
    }
    return records;
  }

  /** Call after each append, with the offsets of its records. */
  appended(records: readonly OutgoingOn[], offsets: readonly number[]): void {
    for (const [at, { topic }] of records.entries())
      if (topic === 'bundles') this.#end = Math.max(this.#end, (offsets[at] ?? 0) + 1);
  }

  /** The source's uses that have ended: all but that of the current code and, in an update, that of the other code. */
  #endedUses(sourceId: string, definition: Definition | undefined): readonly string[] {
    const uses = [...(this.#bySource.get(sourceId) ?? [])];
    // A definition that cannot be read ends no use.
    if (definition?.revision === 0) return [];
    const needed = definition?.codeRevisions ?? [];
    return uses.filter((key) => !needed.includes(this.#uses.get(key)?.revision ?? 0));
  }

  #add(use: BundleLocation & BundleUser): void {
    const key = bundleUseKey(use.sourceId, use.revision);
    this.#remove(key);
    this.#uses.set(key, use);
    this.#bySource.set(use.sourceId, (this.#bySource.get(use.sourceId) ?? new Set()).add(key));
    const stored = this.#stored.get(use.hash) ?? { place: placeOf(use), count: 0 };
    stored.count++;
    this.#stored.set(use.hash, stored);
  }

  #remove(key: string): (BundleLocation & BundleUser) | undefined {
    const use = this.#uses.get(key);
    if (use === undefined) return undefined;
    this.#uses.delete(key);
    const sourceUses = this.#bySource.get(use.sourceId);
    sourceUses?.delete(key);
    if (sourceUses?.size === 0) this.#bySource.delete(use.sourceId);
    const stored = this.#stored.get(use.hash);
    if (stored !== undefined && --stored.count === 0) this.#stored.delete(use.hash);
    return use;
  }
}

const placeOf = ({ hash, parts, from }: BundleLocation): BundleLocation => ({ hash, parts, from });

function tombstone(type: 'BundleUsed' | 'BundlePartSaved', key: string, at: Millis): LogRecord<never, undefined> {
  const id = derivedId('rec', 'unused', `${key}@${at}`);
  const envelope = { version: 1, key, at, workspace: '', ...chainFrom(id, 'runtime') };
  return { id, type, ...envelope, data: undefined } as LogRecord<never, undefined>;
}
