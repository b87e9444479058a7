// The file system of one run: `/tmp` in memory, with limits of bytes and entries, discarded after the run.
import { currentCall } from '../../core/calls.ts';
import type { Call } from '../../core/calls.ts';
import { limits } from '../../core/guest-limits.ts';
import { systemError } from './fs-errors.ts';
import type { SyscallContext } from './fs-errors.ts';
import { newFolder, touch } from './nodes.ts';
import type { FileNode, FolderNode, TreeNode } from './nodes.ts';
import { namesOf } from './paths.ts';

/** An open file; its descriptor is the key in the tree. */
export interface OpenFile {
  readonly file: FileNode;
  readonly path: string;
  readonly canRead: boolean;
  readonly canWrite: boolean;
  readonly appends: boolean;
  position: number;
}

/** 0 to 2 are stdin, stdout and stderr. */
const firstDescriptor = 3;
const openMax = 1_000;

export class Tree {
  readonly #root: FolderNode = newFolder(0o755, { isWritable: false });
  readonly #open = new Map<number, OpenFile>();
  #bytes = 0;
  #entries = 0;

  constructor() {
    this.#root.children.set('tmp', newFolder(0o777, { isWritable: true }));
  }

  /** Undefined if the path does not exist. Throws if a file is in the middle of the path. */
  find(text: string, context: SyscallContext): TreeNode | undefined {
    let node: TreeNode = this.#root;
    for (const name of namesOf(text, context)) {
      if (node.kind === 'file') throw systemError('ENOTDIR', context);
      const next = node.children.get(name);
      if (next === undefined) return undefined;
      node = next;
    }
    return node;
  }

  get(text: string, context: SyscallContext): TreeNode {
    const found = this.find(text, context);
    if (found === undefined) throw systemError('ENOENT', context);
    return found;
  }

  fullPath = (text: string, context: SyscallContext): string => `/${namesOf(text, context).join('/')}`;

  /** The folder that contains the path's last name, and that name. Throws for the root. */
  parent(text: string, context: SyscallContext): { readonly folder: FolderNode; readonly name: string } {
    const names = namesOf(text, context);
    const name = names.at(-1);
    if (name === undefined) throw systemError('EPERM', context);
    const folder = this.get(`/${names.slice(0, -1).join('/')}`, context);
    if (folder.kind === 'file') throw systemError('ENOTDIR', context);
    return { folder, name };
  }

  /** Adds a node at a path that does not exist yet. */
  add(text: string, node: TreeNode, context: SyscallContext): void {
    const { folder, name } = this.parent(text, context);
    if (!folder.isWritable) throw systemError('EACCES', { ...context, hint: 'components have /tmp' });
    const { tmpEntriesMax } = limits();
    if (this.#entries >= tmpEntriesMax) {
      throw systemError('ENOSPC', { ...context, hint: `a run may have ${tmpEntriesMax} files and folders` });
    }
    this.#entries++;
    folder.children.set(name, node);
    touch(folder);
  }

  /** Removes the entry; an open file's bytes count until it is closed. */
  remove(text: string, context: SyscallContext): void {
    const { folder, name } = this.parent(text, context);
    const node = folder.children.get(name);
    if (node === undefined) throw systemError('ENOENT', context);
    if (node.kind === 'folder' && node.isFixed) throw systemError('EACCES', context);
    this.#entries--;
    if (node.kind === 'file') this.#release(node);
    folder.children.delete(name);
    touch(folder);
  }

  move(from: string, to: string, context: SyscallContext): void {
    const node = this.get(from, context);
    const target = this.find(to, context);
    if (node === target) return;
    if (node.kind === 'folder') this.#refuseMove(node, { from, to, target }, context);
    else if (target?.kind === 'folder') throw systemError('EISDIR', context);
    const { folder, name } = this.parent(to, context);
    if (!folder.isWritable) throw systemError('EACCES', context);
    if (target !== undefined) this.remove(to, context);
    const source = this.parent(from, context);
    source.folder.children.delete(source.name);
    folder.children.set(name, node);
    touch(source.folder);
    touch(folder);
  }

  /** Call before a file's size changes by `bytes`; throws ENOSPC beyond the limit. */
  charge(bytes: number, context: SyscallContext): void {
    const { tmpBytes } = limits();
    if (bytes > 0 && this.#bytes + bytes > tmpBytes) {
      throw systemError('ENOSPC', { ...context, hint: `the files of a run may have ${tmpBytes} bytes` });
    }
    this.#bytes += bytes;
  }

  open(openFile: OpenFile, context: SyscallContext): number {
    if (this.#open.size >= openMax) throw systemError('EMFILE', context);
    let fd = firstDescriptor;
    while (this.#open.has(fd)) fd++;
    this.#open.set(fd, openFile);
    return fd;
  }

  getOpenFile(fd: unknown, syscall: string): OpenFile {
    const found = typeof fd === 'number' ? this.#open.get(fd) : undefined;
    if (found === undefined) throw systemError('EBADF', { syscall });
    return found;
  }

  close(fd: unknown): void {
    const { file } = this.getOpenFile(fd, 'close');
    this.#open.delete(fd as number);
    if (file.isRemoved) this.#release(file);
  }

  #release(file: FileNode): void {
    file.isRemoved = [...this.#open.values()].some((openFile) => openFile.file === file);
    if (!file.isRemoved) this.#bytes -= file.content.size;
  }

  #refuseMove(
    node: FolderNode,
    { from, to, target }: { readonly from: string; readonly to: string; readonly target: TreeNode | undefined },
    context: SyscallContext,
  ): void {
    if (node.isFixed) throw systemError('EACCES', context);
    if (target?.kind === 'file') throw systemError('ENOTDIR', context);
    if (target !== undefined && target.children.size > 0) throw systemError('ENOTEMPTY', context);
    const inside = `${namesOf(to, context).join('/')}/`.startsWith(`${namesOf(from, context).join('/')}/`);
    if (inside) throw systemError('EINVAL', context);
  }
}

const trees = new WeakMap<Call, Tree>();

/** The tree of the current invocation; each begins with an empty `/tmp`. */
export function tree(): Tree {
  const call = currentCall();
  if (call === undefined)
    throw Object.assign(new Error('The run has ended, and its files with it'), { code: 'ERR_ENDED' });
  const existing = trees.get(call);
  if (existing !== undefined) return existing;
  const created = new Tree();
  trees.set(call, created);
  return created;
}
