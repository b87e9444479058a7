// Reads bundles from the log when their sources are loaded, verifies them, and caches those used last.
import { bundlePartsMax, type BundleLocation } from '../../../domain/component/bundle/messages.ts';
import type { Bundle } from '../../../packages/packages.ts';
import { BoundedCache } from '../../../primitives/collections/bounded-cache.ts';
import { pagesFrom, type PagesLog } from '../../loop/reading/pages-from.ts';
import { isTombstone } from '../../loop/restoring/definitions.ts';
import { unpack } from './bundle-packer.ts';

/** Two parts at a time. */
const page = { recordsMax: 16, bytesMax: 1024 * 1024 };
/** The most records read for a bundle: it begins at its place or a few appends later, or is not on the log. */
const recordsMax = 1_000;
/** The assumed size of a bundle that is still being read: about that of the smallest one with packages. */
const assumedUnits = 64 * 1024;

/** Bundles by hash, for all partitions of a process. */
export class BundleCache extends BoundedCache<Promise<Bundle | undefined>> {
  add(hash: string, reading: Promise<Bundle | undefined>): void {
    this.set(hash, reading, assumedUnits);
    const drop = (): void => {
      if (this.get(hash) === reading) this.delete(hash);
    };
    reading.then((bundle) => {
      if (bundle === undefined) drop();
      else if (this.get(hash) === reading) this.set(hash, reading, bundle.js.length + bundle.map.length);
    }, drop);
  }
}

export class BundleStore {
  readonly #log: PagesLog;
  readonly #partition: number;
  readonly #cache: BundleCache;

  constructor(log: PagesLog, partition: number, cache: BundleCache) {
    this.#log = log;
    this.#partition = partition;
    this.#cache = cache;
  }

  /** Caches a bundle that was just built and is about to be loaded. */
  cacheBuilt(hash: string, bundle: Bundle): void {
    this.#cache.add(hash, Promise.resolve(bundle));
  }

  /** Undefined: the log does not have the whole bundle. Throws PortError and NewerRecordError. */
  load(place: BundleLocation): Promise<Bundle | undefined> {
    const known = this.#cache.get(place.hash);
    if (known !== undefined) return known;
    const reading = this.#read(place);
    this.#cache.add(place.hash, reading);
    return reading;
  }

  async #read({ hash, parts, from }: BundleLocation): Promise<Bundle | undefined> {
    if (parts > bundlePartsMax) return undefined;
    const texts = new Map<number, string>();
    let seen = 0;
    const place = { topic: 'bundles', partition: this.#partition, from } as const;
    for await (const { records } of pagesFrom(this.#log, place, { first: page, further: page })) {
      for (const record of records)
        if (!isTombstone(record) && record.data.hash === hash) texts.set(record.data.part, record.data.text);
      seen += records.length;
      if (texts.size >= parts || seen >= recordsMax) break;
    }
    const inOrder = Array.from({ length: parts }, (_, part) => texts.get(part) ?? '');
    return unpack(inOrder, hash);
  }
}
