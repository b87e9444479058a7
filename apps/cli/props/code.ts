// Resolves the code that a command names: a local file with its imports, a URL, or the id or key of a component.
import { readFile, realpath } from 'node:fs/promises';
import { statSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import type { Client, SaveRequest } from '../../../libs/client/index.ts';
import { isApiError } from '../failures/explain.ts';
import { usageFailure } from '../failures/failure.ts';
import type { Failure } from '../failures/failure.ts';
import { filesByPath, importedFiles } from './files.ts';
import type { LocalFile } from './files.ts';

export interface Code extends Omit<SaveRequest, 'publish'> {
  /** The key of a component that is published or in the registry. */
  readonly key?: string;
  /** Id or key of a saved component. */
  readonly component_id?: string;
}

/** A component's code, and where to look for changes of it. */
export interface FileCode {
  readonly code: Code;
  /** The paths of its files, of the targets of links, and of imported files that do not exist yet. */
  readonly paths: readonly string[];
}

const looksLikeFile = (text: string): boolean => /\.[cm]?[jt]s$/.test(text) || /^[./~]/.test(text);

/** A folder counts only if the text has a slash: a bare name can be the key of a component. */
function isExistingPath(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true || (stats?.isDirectory() === true && path.includes('/'));
}

export async function codeOf(codeRef: string): Promise<Code> {
  if (/^https?:\/\//.test(codeRef)) return { component_url: codeRef };
  if (looksLikeFile(codeRef) || isExistingPath(codeRef)) return (await codeOfFile(codeRef)).code;
  return { component_id: codeRef };
}

/** For a bare name that is not the key of a component: throws a Failure if a folder has it. */
export function refuseFolder(codeRef: string): void {
  if (statSync(codeRef, { throwIfNoEntry: false })?.isDirectory() === true) throw folderFailure(codeRef);
}

/** For the error of a request with such a name: throws a Failure if a folder has the name that was not found, or it. */
export function refuseUnknownCode(error: unknown, codeRef: string): never {
  if (isApiError(error) && error.status === 404) refuseFolder(codeRef);
  throw error;
}

const folderFailure = (path: string): Failure =>
  usageFailure(`${path} is a folder.`, "Name the component's file in it.");

const isId = (text: string): boolean => /^sc_[0-9A-Za-z]{16}$/.test(text);

/** A key can also mean a saved component that is not published; if it is neither, it is looked up in the registry. */
export async function codeOfKey(client: Client, code: Code): Promise<Code> {
  const { component_id: key } = code;
  if (key === undefined || isId(key)) return code;
  const published = await client.components({ key, published: true, limit: 1 });
  if (published.data.length > 0) return { key };
  const saved = await client.components({ key, limit: 1 });
  return saved.data.length > 0 ? code : { key };
}

/** Throws a Failure if the file cannot be read. */
export async function codeOfFile(inputPath: string): Promise<FileCode> {
  const path = resolve(inputPath);
  const entry = { path: await importBaseOf(path), text: await readCode(inputPath) };
  const { files, missing } = await importedFiles(entry);
  const paths = files.map((file) => file.path);
  // An editor writes to the file that a link leads to.
  const linkTargets = await Promise.all(paths.map(realPathOf));
  return { code: requestOf(entry, files), paths: [...new Set([path, ...paths, ...linkTargets, ...missing])] };
}

/** The path that imports are relative to: as in Node, the target of a link, unless its extension differs. */
async function importBaseOf(path: string): Promise<string> {
  const target = await realPathOf(path);
  return extname(target) === extname(path) ? target : path;
}

const realPathOf = (path: string): Promise<string> => realpath(path).catch(() => path);

function requestOf(entry: LocalFile, files: readonly LocalFile[]): Code {
  if (files.length === 1) return { component_code: entry.text };
  const byPath = filesByPath(files);
  const [name = ''] = Object.keys(byPath);
  return { files: byPath, entry: name };
}

async function readCode(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EISDIR') throw folderFailure(path);
    throw usageFailure(code === 'ENOENT' ? `There is no file ${path}.` : `${path} cannot be read: ${message}`);
  }
}
