// Packs bundles for the log: compressed, in parts that fit into records, named by the hash of their content.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { sizes } from '../../../domain/sizes.ts';
import { BoundedCache } from '../../../primitives/collections/bounded-cache.ts';
import type { Bundle } from '../../../packages/packages.ts';

export interface PackedBundle {
  readonly hash: string;
  /** The parts in order, as base64. */
  readonly texts: readonly string[];
}

/**
 * The most bytes of a bundle and its map once unpacked: four times as many as on the log, since text compresses well.
 */
const unpackedBytesMax = 4 * sizes.bundleBytes;

const textOf = ({ js, map }: Bundle): string => JSON.stringify([js, map]);
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The characters of packed bundles kept in memory: room for many components that are deployed again and again. */
const cachedUnitsMax = 16 * 1024 * 1024;

/** Keeps the bundles packed last, since compressing takes longer than everything else in a deploy of a known bundle. */
export class BundlePacker {
  readonly #hashes = new WeakMap<Bundle, string>();
  readonly #cache: BoundedCache<Promise<PackedBundle | string>>;

  constructor(unitsMax = cachedUnitsMax) {
    this.#cache = new BoundedCache(unitsMax);
  }

  /** Resolves to a text instead if the bundle is too large: it says how large it is. */
  pack(bundle: Bundle): Promise<PackedBundle | string> {
    const text = this.#hashes.has(bundle) ? undefined : textOf(bundle);
    const hash = this.#hashes.get(bundle) ?? hashOf(text ?? '');
    this.#hashes.set(bundle, hash);
    const known = this.#cache.get(hash);
    if (known !== undefined) return known;
    const packing = packText(text ?? textOf(bundle), hash);
    // Until it is packed, its size counts as that of the bundle.
    this.#cache.set(hash, packing, bundle.js.length + bundle.map.length);
    packing.then(
      (packed) => {
        if (this.#cache.get(hash) === packing) this.#cache.set(hash, packing, unitsOf(packed));
      },
      () => this.#cache.delete(hash),
    );
    return packing;
  }
}

const unitsOf = (packed: PackedBundle | string): number =>
  typeof packed === 'string' ? packed.length : packed.texts.reduce((sum, { length }) => sum + length, 0);

async function packText(text: string, hash: string): Promise<PackedBundle | string> {
  if (Buffer.byteLength(text) > unpackedBytesMax) return tooLargeMessage(Buffer.byteLength(text), unpackedBytesMax);
  const encoded = (await promisify(gzip)(text)).toString('base64');
  if (encoded.length > sizes.bundleBytes) return `Compressed, ${tooLargeMessage(encoded.length, sizes.bundleBytes)}`;
  const count = Math.ceil(encoded.length / sizes.bundlePartBytes);
  const texts = Array.from({ length: count }, (_, part) =>
    encoded.slice(part * sizes.bundlePartBytes, (part + 1) * sizes.bundlePartBytes),
  );
  return { hash, texts };
}

const tooLargeMessage = (bytes: number, max: number): string =>
  `the component with its packages has ${bytes} bytes; at most ${max} are kept. Import less, or smaller packages`;

/** The bundle from its parts; undefined: they do not have this hash. */
export async function unpack(texts: readonly string[], hash: string): Promise<Bundle | undefined> {
  const bytes = Buffer.from(texts.join(''), 'base64');
  const text = await promisify(gunzip)(bytes, { maxOutputLength: unpackedBytesMax }).then(String, () => '');
  if (hashOf(text) !== hash) return undefined;
  const [js, map] = JSON.parse(text) as [string, string];
  return { js, map };
}
