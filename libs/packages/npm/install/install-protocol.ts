// The messages of an installer process: its job and result, which are sent over its channel, never on its command line.
import type { RegistryOptions } from './npm-configuration.ts';
import type { Workplace } from './workplace.ts';
import type { Dependencies } from './specifiers.ts';

export interface InstallLimits {
  readonly timeMs: number;
  /** Private memory, in KiB, including the 512 MiB that Node reserves for code and never uses. */
  readonly dataKiB: number;
  /** All unpacked files of a tree, including those that are not kept. */
  readonly unpackedBytes: number;
  /** Files and folders of a tree. */
  readonly filesMax: number;
  readonly packagesMax: number;
  /** Tarballs and metadata received from registries and cached. */
  readonly fetchedBytes: number;
}

export interface InstallJob {
  /** Contains trees and npm's cache. */
  readonly directory: string;
  /** Used by this install only. */
  readonly workplace: Workplace;
  readonly dependencies: Dependencies;
  /** Packages that the lock lacks are resolved. */
  readonly lock: string | null;
  /** Names of packages that the service provides, which are never fetched. */
  readonly provided: readonly string[];
  readonly registry: RegistryOptions;
  /** `trusted`: `host:port` that can have any address. Others must be public, or in the ranges `egressAllow`. */
  readonly trusted: readonly string[];
  readonly egressAllow: readonly string[];
  readonly limits: InstallLimits;
}

export type InstallResult =
  | { readonly kind: 'installed'; readonly lock: string }
  /** No version matches the request, or the tree is too large: another try would end the same way. */
  | { readonly kind: 'refused'; readonly message: string }
  /** The registry is unreachable or answers with an error. */
  | { readonly kind: 'failed'; readonly message: string; readonly again: boolean };
