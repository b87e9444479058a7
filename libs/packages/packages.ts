// The packages port: turns a component's text and the packages that it imports into one text that an isolate can load.
import type { ComponentError } from '../domain/component/output.ts';

/** A component's text: `code` is the entry file's; `entry` its path and `files` the other files by path, if it has several. */
export interface Program {
  readonly code: string;
  readonly entry?: string;
  readonly files?: Readonly<Record<string, string>>;
}

export interface Bundle {
  /** CommonJS; what it requires are modules of Node that an isolate has. */
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
  /** Null: no package is in it, and the program's text alone gives the same bundle again. */
  readonly lock: Lock | null;
  readonly packages: readonly PackageVersion[];
}

export type BuildOutcome =
  | Built
  /** The program itself is at fault. */
  | { readonly kind: 'refused'; readonly error: ComponentError }
  /** The registry or the machine is; `again`: anyone who can wait should try again. */
  | { readonly kind: 'failed'; readonly error: ComponentError; readonly again: boolean };

/** A component of a package, by its file. */
export interface PackagedComponent {
  readonly key: string;
  readonly type: 'source' | 'action';
  readonly name: string;
  /** Empty: it has none. */
  readonly description: string;
  /** Of its file, in the package. */
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
   * What the latest version of a package holds, read from its files: nothing of them runs. `refused`: there is no such
   * package. Never rejects.
   */
  abstract components(name: string, options?: Pick<BuildOptions, 'workspace'>): Promise<ComponentsOutcome>;

  /** Ends every process. Builds under way and later ones end as `failed`. */
  abstract close(): Promise<void>;
}
