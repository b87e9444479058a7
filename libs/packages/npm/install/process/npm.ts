// The libraries of npm that resolve and fetch packages, with the types that they lack.
import { createRequire } from 'node:module';
import type { Readable } from 'node:stream';

const require = createRequire(import.meta.url);

/** One package of a tree. */
export interface TreeNode {
  /** The path, such as `node_modules/a/node_modules/b`; empty for the root. */
  readonly location: string;
  /** The package's own name, not its alias. */
  readonly packageName: string | null;
  readonly version: string | null;
  readonly resolved: string | null;
  readonly integrity: string | null;
  readonly optional: boolean;
  readonly inBundle: boolean;
  readonly isLink: boolean;
  readonly package: { readonly os?: unknown; readonly cpu?: unknown; readonly libc?: unknown };
}

export interface Tree {
  readonly inventory: { values(): Iterable<TreeNode> };
  readonly meta: { toString(): string };
}

export const Arborist = require('@npmcli/arborist/lib/arborist/index.js') as new (options: object) => {
  buildIdealTree(): Promise<Tree>;
};

export const pacote = require('pacote') as {
  readonly tarball: {
    /** The stream fails at its end if the bytes have a wrong hash; `take` can then be called again. */
    stream<T>(spec: string, take: (stream: Readable) => Promise<T>, options: object): Promise<T>;
  };
};

const requireOf = (from: NodeJS.Require, name: string): NodeJS.Require => createRequire(from.resolve(name));

/** The stream by which npm's cache writes each received file. */
export const { WriteStream } = requireOf(requireOf(require, 'pacote'), 'cacache')('fs-minipass') as {
  readonly WriteStream: { readonly prototype: { write(chunk: Uint8Array | string, ...rest: unknown[]): boolean } };
};
