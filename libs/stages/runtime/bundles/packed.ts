// A bundle as the log keeps it: compressed, in parts that fit into records, named by the hash of its content.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { sizes } from '../../../domain/sizes.ts';
import type { Bundle } from '../../../packages/packages.ts';

export interface PackedBundle {
  readonly hash: string;
  /** Base64, in order. */
  readonly texts: readonly string[];
}

/**
 * The most bytes of a bundle and its map once unpacked: four times as many as on the log, since text compresses well.
 */
const unpackedBytesMax = 4 * sizes.bundleBytes;

const textOf = ({ js, map }: Bundle): string => JSON.stringify([js, map]);
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** As long as a bundle is kept to be built into others, what it is packed into is, too: compressing takes longer than the rest. */
const known = new WeakMap<Bundle, Promise<PackedBundle | string>>();

/** A text: it is too large, and how large it is. */
export function pack(bundle: Bundle): Promise<PackedBundle | string> {
  const packing = known.get(bundle) ?? packed(bundle);
  known.set(bundle, packing);
  return packing;
}

async function packed(bundle: Bundle): Promise<PackedBundle | string> {
  const text = textOf(bundle);
  if (Buffer.byteLength(text) > unpackedBytesMax) return tooLarge(Buffer.byteLength(text), unpackedBytesMax);
  const whole = (await promisify(gzip)(text)).toString('base64');
  if (whole.length > sizes.bundleBytes) return `Compressed, ${tooLarge(whole.length, sizes.bundleBytes)}`;
  const count = Math.ceil(whole.length / sizes.bundlePartBytes);
  const texts = Array.from({ length: count }, (_, part) =>
    whole.slice(part * sizes.bundlePartBytes, (part + 1) * sizes.bundlePartBytes),
  );
  return { hash: hashOf(text), texts };
}

const tooLarge = (bytes: number, max: number): string =>
  `the component with its packages has ${bytes} bytes; at most ${max} are kept. Import less, or smaller packages`;

/** Undefined: this is not the bundle that the hash names. */
export async function unpack(texts: readonly string[], hash: string): Promise<Bundle | undefined> {
  const bytes = Buffer.from(texts.join(''), 'base64');
  const text = await promisify(gunzip)(bytes, { maxOutputLength: unpackedBytesMax }).then(String, () => '');
  if (hashOf(text) !== hash) return undefined;
  const [js, map] = JSON.parse(text) as [string, string];
  return { js, map };
}
