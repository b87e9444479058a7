// Resolves the code that a command names: a local file with its imports, a URL, or the id or key of a component.
import { readFile, realpath } from 'node:fs/promises';
import { statSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import type { Client, SaveRequest } from '../../../libs/client/index.ts';
import { usageFailure } from '../failures/failure.ts';
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
function isThere(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true || (found?.isDirectory() === true && path.includes('/'));
}

export async function codeOf(named: string): Promise<Code> {
  if (/^https?:\/\//.test(named)) return { component_url: named };
  if (looksLikeFile(named) || isThere(named)) return (await codeOfFile(named)).code;
  return { component_id: named };
}

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
export async function codeOfFile(named: string): Promise<FileCode> {
  const path = resolve(named);
  const entry = { path: await placeOf(path), text: await readCode(named) };
  const { files, absent } = await importedFiles(entry);
  const paths = files.map((file) => file.path);
  // An editor writes to the file that a link leads to.
  const written = await Promise.all(paths.map(real));
  return { code: requestOf(entry, files), paths: [...new Set([path, ...paths, ...written, ...absent])] };
}

/** The path that imports are relative to: as in Node, the target of a link, unless its extension differs. */
async function placeOf(path: string): Promise<string> {
  const place = await real(path);
  return extname(place) === extname(path) ? place : path;
}

const real = (path: string): Promise<string> => realpath(path).catch(() => path);

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
    if (code === 'EISDIR') throw usageFailure(`${path} is a folder.`, "Name the component's file in it.");
    throw usageFailure(code === 'ENOENT' ? `There is no file ${path}.` : `${path} cannot be read: ${message}`);
  }
}
