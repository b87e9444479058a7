// What an installer process is told and what it answers, over its channel: never on its command line.
import type { RegistryOptions } from './npm-configuration.ts';
import type { Workplace } from './workplace.ts';
import type { Dependencies } from './specifiers.ts';

export interface InstallLimits {
  readonly timeMs: number;
  /** Private memory, in KiB, with the 512 MiB that Node reserves for code and never writes. */
  readonly dataKiB: number;
  /** All files of a tree, as unpacked, whether they are kept or not. */
  readonly unpackedBytes: number;
  /** Files and folders of a tree. */
  readonly filesMax: number;
  readonly packagesMax: number;
  /** What is received of registries and kept, tarballs and metadata. */
  readonly fetchedBytes: number;
}

export interface InstallJob {
  /** Holds trees and what npm keeps of registries. */
  readonly directory: string;
  /** Of this install alone. */
  readonly workplace: Workplace;
  readonly dependencies: Dependencies;
  /** Taken as far as it goes; what it lacks is resolved. */
  readonly lock: string | null;
  /** Never fetched: the service brings them. */
  readonly provided: readonly string[];
  readonly registry: RegistryOptions;
  /** `host:port` that may have any address; all others must be public, or in these ranges. */
  readonly trusted: readonly string[];
  readonly egressAllow: readonly string[];
  readonly limits: InstallLimits;
}

export type InstallResult =
  | { readonly kind: 'installed'; readonly lock: string }
  /** No version meets what was asked for, or the tree is too large: another try would end the same way. */
  | { readonly kind: 'refused'; readonly message: string }
  /** The registry is away or answers badly. */
  | { readonly kind: 'failed'; readonly message: string; readonly again: boolean };
