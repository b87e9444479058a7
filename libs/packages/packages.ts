// The packages port: bundles a component's text and the packages that it imports into one text that an isolate loads.
import type { ComponentError } from '../domain/component/output.ts';

/** A component's text: `code` is the entry file's. If there are more files: `entry` is its path, `files` the others. */
export interface Program {
  readonly code: string;
  readonly entry?: string;
  readonly files?: Readonly<Record<string, string>>;
}

export interface Bundle {
  /** CommonJS, which requires only modules of Node that an isolate has. */
  readonly js: string;
  /** JSON text of a version 3 source map, for the positions in errors. */
  readonly map: string;
}

/** A short text that names every package with version and hash. Opaque outside the adapter. */
export type Lock = string;

export interface PackageVersion {
  readonly name: string;
  readonly version: string;
}

export interface BuildOptions {
  /** The owner: workspaces take turns when builds must wait. */
  readonly workspace?: string;
  /** Builds with exactly these packages. */
  readonly lock?: Lock;
}

export interface Built {
  readonly kind: 'built';
  readonly bundle: Bundle;
  /** Null: the bundle contains no package, and can be made again of the program's text alone. */
  readonly lock: Lock | null;
  readonly packages: readonly PackageVersion[];
}

export type BuildOutcome =
  | Built
  /** The program itself is at fault. */
  | { readonly kind: 'refused'; readonly error: ComponentError }
  /** The registry or the machine is at fault; `again`: a caller that can wait should try again. */
  | { readonly kind: 'failed'; readonly error: ComponentError; readonly again: boolean };

/** A component of a package, by its file. */
export interface PackagedComponent {
  readonly key: string;
  readonly type: 'source' | 'action';
  readonly name: string;
  /** Empty: there is none. */
  readonly description: string;
  /** The path of its file in the package. */
  readonly path: string;
}

export interface ComponentsFound {
  readonly kind: 'found';
  /** The latest version. */
  readonly package: PackageVersion;
  readonly components: readonly PackagedComponent[];
}

export type ComponentsOutcome = ComponentsFound | Exclude<BuildOutcome, Built>;

export abstract class Packages {
  /** Callers take turns when there is a queue. Never rejects. */
  abstract build(program: Program, options?: BuildOptions): Promise<BuildOutcome>;

  /**
   * The components in the latest version of a package, read from its files without running them. `refused`: there is no
   * such package. Never rejects.
   */
  abstract components(name: string, options?: Pick<BuildOptions, 'workspace'>): Promise<ComponentsOutcome>;

  /** Ends every process. Builds under way and later ones end as `failed`. */
  abstract close(): Promise<void>;
}
