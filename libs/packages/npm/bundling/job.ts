// The messages of a compiler process: the job of bundling, and its result.
import type { ComponentError } from '../../../domain/component/output.ts';
import type { Bundle, Program } from '../../packages.ts';
import type { Dependencies } from '../install/specifiers.ts';

/**
 * A text and its map together: the largest clients, such as HubSpot's with 8.5 MB, and little of the 128 MiB that a
 * component has. What the log keeps is compressed, and has a bound of its own.
 */
export const bundleBytesMax = 12 * 1024 * 1024;

/** The packages that a program may import. */
export interface BundleTree {
  /** The folder that holds `node_modules`. */
  readonly folder: string;
  /** The installed dependencies, which names and ranges in imports are resolved to. */
  readonly dependencies: Dependencies;
}

export interface BundleJob {
  readonly program: Program;
  /** Null: nothing is installed yet. */
  readonly tree: BundleTree | null;
}

export type BundleResult =
  | { readonly kind: 'compiled'; readonly compiled: Bundle }
  /** The program itself, or a package that it needs, is at fault. */
  | { readonly kind: 'refused'; readonly error: ComponentError }
  /** It imports packages that the tree lacks, given as in the imports. */
  | { readonly kind: 'needs'; readonly specifiers: readonly string[] }
  /** A file of the tree is not what was installed. */
  | { readonly kind: 'damaged' };
