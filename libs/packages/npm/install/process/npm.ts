// The parts of npm in use, with the types that they lack: it resolves and fetches as npm itself does.
import { createRequire } from 'node:module';
import type { Readable } from 'node:stream';

const require = createRequire(import.meta.url);

/** One package of a tree. */
export interface TreeNode {
  /** Such as `node_modules/a/node_modules/b`; empty for the root. */
  readonly location: string;
  /** Without an alias. */
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
    /** The stream fails at its end when the bytes have another hash; `take` may then be called again. */
    stream<T>(spec: string, take: (stream: Readable) => Promise<T>, options: object): Promise<T>;
  };
};

const requireOf = (from: NodeJS.Require, name: string): NodeJS.Require => createRequire(from.resolve(name));

/** What npm's cache writes each file by that it receives. */
export const { WriteStream } = requireOf(requireOf(require, 'pacote'), 'cacache')('fs-minipass') as {
  readonly WriteStream: { readonly prototype: { write(chunk: Uint8Array | string, ...rest: unknown[]): boolean } };
};
