// Bundles on the log: the built code of components with npm packages, in parts, and which sources use each.
import type { MessageOf } from '../../message.ts';
import { sizes } from '../../sizes.ts';

/** The number of parts of the largest bundle; a record with more parts was not written by this service. */
export const bundlePartsMax = Math.ceil(sizes.bundleBytes / sizes.bundlePartBytes);

/** Identifies a bundle, and says where its parts are on the log. */
export interface BundleLocation {
  /** SHA-256 of the bundle, in hexadecimal digits. */
  readonly hash: string;
  readonly parts: number;
  /** An offset on `bundles`, in the source's partition, at or before its first part. */
  readonly from: number;
}

/** Names the bundle from which a component is loaded. */
export interface Bundled {
  /** Absent: the component is built from its text alone. */
  readonly bundle?: BundleLocation;
}

/** On `bundles`, compacted, keyed `hash/number of the part`. Without data: no source uses it any more. */
export type BundleEvent = MessageOf<{
  BundlePartSaved: {
    readonly hash: string;
    readonly part: number;
    /** A part of the Base64 text of the whole compressed bundle. */
    readonly text: string;
  };
}>;

/** On `state`, keyed `source id/bundle/revision`. Without data: the source does not use it any more. */
export type BundleUseEvent = MessageOf<{
  BundleUsed: BundleLocation & {
    readonly sourceId: string;
    /** The source's revision whose code the bundle was built from. */
    readonly revision: number;
  };
}>;

export const bundlePartKey = (hash: string, part: number): string => `${hash}/${part}`;

export const bundleUseKey = (sourceId: string, revision: number): string => `${sourceId}/bundle/${revision}`;
