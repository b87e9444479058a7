// Bundles on the log: what a component with packages was built into, in parts, and which sources use it.
import type { MessageOf } from '../../message.ts';
import { sizes } from '../../sizes.ts';

/** Of the largest bundle; a record that tells of more is not about one of ours. */
export const bundlePartsMax = Math.ceil(sizes.bundleBytes / sizes.bundlePartBytes);

/** Which bundle, and where its parts stand. */
export interface BundlePlace {
  /** SHA-256 of the bundle, in hexadecimal digits. */
  readonly hash: string;
  readonly parts: number;
  /** An offset on `bundles`, in the source's partition, at or before its first part. */
  readonly from: number;
}

/** What names the bundle that a component is loaded from. */
export interface Bundled {
  /** Absent: it is built from its text alone. */
  readonly bundle?: BundlePlace;
}

/** On `bundles`, compacted, keyed `hash/number of the part`. Without data: no source uses it any more. */
export type BundleEvent = MessageOf<{
  BundlePartSaved: {
    readonly hash: string;
    readonly part: number;
    /** Base64, a part of the whole bundle's, which is compressed. */
    readonly text: string;
  };
}>;

/** On `state`, keyed `source id/bundle/revision`. Without data: the source does not use it any more. */
export type BundleUseEvent = MessageOf<{
  BundleUsed: BundlePlace & {
    readonly sourceId: string;
    /** The revision that brought the code that it was built from. */
    readonly revision: number;
  };
}>;

export const bundlePartKey = (hash: string, part: number): string => `${hash}/${part}`;

export const bundleUseKey = (sourceId: string, revision: number): string => `${sourceId}/bundle/${revision}`;
