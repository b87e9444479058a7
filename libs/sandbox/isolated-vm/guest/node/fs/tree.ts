// The file system of one run: `/tmp` in memory, with limits of bytes and entries, discarded after the run.
import { currentCall } from '../../core/calls.ts';
import type { Call } from '../../core/calls.ts';
import { limits } from '../../core/guest-limits.ts';
import { systemError } from './fs-errors.ts';
import type { Place } from './fs-errors.ts';
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
  find(text: string, place: Place): TreeNode | undefined {
    let node: TreeNode = this.#root;
    for (const name of namesOf(text, place)) {
      if (node.kind === 'file') throw systemError('ENOTDIR', place);
      const next = node.children.get(name);
      if (next === undefined) return undefined;
      node = next;
    }
    return node;
  }

  get(text: string, place: Place): TreeNode {
    const found = this.find(text, place);
    if (found === undefined) throw systemError('ENOENT', place);
    return found;
  }

  fullPath = (text: string, place: Place): string => `/${namesOf(text, place).join('/')}`;

  /** The folder that contains the path's last name, and that name. Throws for the root. */
  parent(text: string, place: Place): { readonly folder: FolderNode; readonly name: string } {
    const names = namesOf(text, place);
    const name = names.at(-1);
    if (name === undefined) throw systemError('EPERM', place);
    const folder = this.get(`/${names.slice(0, -1).join('/')}`, place);
    if (folder.kind === 'file') throw systemError('ENOTDIR', place);
    return { folder, name };
  }

  /** Adds a node at a path that does not exist yet. */
  add(text: string, node: TreeNode, place: Place): void {
    const { folder, name } = this.parent(text, place);
    if (!folder.isWritable) throw systemError('EACCES', { ...place, hint: 'components have /tmp' });
    const { tmpEntriesMax } = limits();
    if (this.#entries >= tmpEntriesMax) {
      throw systemError('ENOSPC', { ...place, hint: `a run may have ${tmpEntriesMax} files and folders` });
    }
    this.#entries++;
    folder.children.set(name, node);
    touch(folder);
  }

  /** Removes the entry; an open file's bytes count until it is closed. */
  remove(text: string, place: Place): void {
    const { folder, name } = this.parent(text, place);
    const node = folder.children.get(name);
    if (node === undefined) throw systemError('ENOENT', place);
    if (node.kind === 'folder' && node.isFixed) throw systemError('EACCES', place);
    this.#entries--;
    if (node.kind === 'file') this.#release(node);
    folder.children.delete(name);
    touch(folder);
  }

  move(from: string, to: string, place: Place): void {
    const node = this.get(from, place);
    const target = this.find(to, place);
    if (node === target) return;
    if (node.kind === 'folder') this.#refuseMove(node, { from, to, target }, place);
    else if (target?.kind === 'folder') throw systemError('EISDIR', place);
    const { folder, name } = this.parent(to, place);
    if (!folder.isWritable) throw systemError('EACCES', place);
    if (target !== undefined) this.remove(to, place);
    const source = this.parent(from, place);
    source.folder.children.delete(source.name);
    folder.children.set(name, node);
    touch(source.folder);
    touch(folder);
  }

  /** Call before a file's size changes by `bytes`; throws ENOSPC beyond the limit. */
  charge(bytes: number, place: Place): void {
    const { tmpBytes } = limits();
    if (bytes > 0 && this.#bytes + bytes > tmpBytes) {
      throw systemError('ENOSPC', { ...place, hint: `the files of a run may have ${tmpBytes} bytes` });
    }
    this.#bytes += bytes;
  }

  open(opened: OpenFile, place: Place): number {
    if (this.#open.size >= openMax) throw systemError('EMFILE', place);
    let fd = firstDescriptor;
    while (this.#open.has(fd)) fd++;
    this.#open.set(fd, opened);
    return fd;
  }

  opened(fd: unknown, syscall: string): OpenFile {
    const found = typeof fd === 'number' ? this.#open.get(fd) : undefined;
    if (found === undefined) throw systemError('EBADF', { syscall });
    return found;
  }

  close(fd: unknown): void {
    const { file } = this.opened(fd, 'close');
    this.#open.delete(fd as number);
    if (file.isRemoved) this.#release(file);
  }

  #release(file: FileNode): void {
    file.isRemoved = [...this.#open.values()].some((opened) => opened.file === file);
    if (!file.isRemoved) this.#bytes -= file.content.size;
  }

  #refuseMove(
    node: FolderNode,
    { from, to, target }: { readonly from: string; readonly to: string; readonly target: TreeNode | undefined },
    place: Place,
  ): void {
    if (node.isFixed) throw systemError('EACCES', place);
    if (target?.kind === 'file') throw systemError('ENOTDIR', place);
    if (target !== undefined && target.children.size > 0) throw systemError('ENOTEMPTY', place);
    const inside = `${namesOf(to, place).join('/')}/`.startsWith(`${namesOf(from, place).join('/')}/`);
    if (inside) throw systemError('EINVAL', place);
  }
}

const trees = new WeakMap<Call, Tree>();

/** The tree of the current invocation; each begins with an empty `/tmp`. */
export function tree(): Tree {
  const call = currentCall();
  if (call === undefined)
    throw Object.assign(new Error('The run has ended, and its files with it'), { code: 'ERR_ENDED' });
  const known = trees.get(call);
  if (known !== undefined) return known;
  const made = new Tree();
  trees.set(call, made);
  return made;
}
