// path.win32 of Node, for Windows paths, which components find in data of other systems.
import posix from 'path-browserify';
import { process } from '../process.ts';
import { rootOf } from './win32-root.ts';

const slashes = /[\\/]+/;
const endsInSlash = /[\\/]$/;
const drive = /^[a-z]:/i;
const reservedName = /^(?:con|prn|aux|nul|(?:com|lpt)[1-9¹²³])$/i;

function requireText(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  const received = value === null || value === undefined ? String(value) : `type ${typeof value}`;
  const message = `The "${name}" argument must be of type string. Received ${received}`;
  throw Object.assign(new TypeError(message), { code: 'ERR_INVALID_ARG_TYPE' });
}

/** Whether a reserved name precedes the colon; in every folder such a name is a device. */
const isDeviceName = (text: string): boolean => reservedName.test(text.slice(0, text.indexOf(':')));

/** Resolves `.` and `..`; a leading `..` stays if the path is relative. */
function resolveDots(path: string, isRelative: boolean): string {
  const parts: string[] = [];
  for (const part of path.split(slashes)) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (isRelative) parts.push(part);
  }
  return parts.join('\\');
}

const cwd = (): string => String((process as { cwd?: () => unknown }).cwd?.() ?? '/');

function resolve(...paths: unknown[]): string {
  const nonEmptyPaths = paths.map((path, at) => requireText(path, `paths[${at}]`)).filter((path) => path !== '');
  const isCurrent = paths.length === 0 || (paths.length === 1 && (paths[0] === '' || paths[0] === '.'));
  if (isCurrent) return cwd().replaceAll('/', '\\');
  let [device, tail, isAbsolute] = ['', '', false];
  for (const path of [cwd(), ...nonEmptyPaths].toReversed()) {
    if (isAbsolute && device !== '') break;
    const root = rootOf(path);
    if (root.device !== '' && device !== '' && root.device.toLowerCase() !== device.toLowerCase()) continue;
    device ||= root.device;
    if (isAbsolute) continue;
    tail = `${path.slice(root.end)}\\${tail}`;
    ({ isAbsolute } = root);
  }
  const resolvedTail = resolveDots(tail, !isAbsolute);
  return isAbsolute ? `${device}\\${resolvedTail}` : `${device}${resolvedTail}` || '.';
}

/** Whether the relative result would be read as a drive or as a file's stream. */
const looksRooted = (path: string, tail: string): boolean =>
  path.includes(':') && (drive.test(tail) || /:(?:[\\/]|$)/.test(path));

function normalize(path: unknown): string {
  const text = requireText(path, 'path');
  if (text === '') return '.';
  if (text.length === 1) return text === '/' ? '\\' : text;
  const { device, end, isAbsolute, isShare } = rootOf(text, true);
  if (isShare && end === text.length) return `${device}\\`;
  let tail = end < text.length ? resolveDots(text.slice(end), !isAbsolute) : '';
  if (tail === '' && !isAbsolute) tail = '.';
  if (tail !== '' && endsInSlash.test(text)) tail += '\\';
  if (!isAbsolute && device === '' && looksRooted(text, tail)) return `.\\${tail}`;
  if (text.includes(':') ? isDeviceName(text) : reservedName.test(text.slice(0, -1))) return `.\\${device}${tail}`;
  return isAbsolute ? `${device}\\${tail}` : `${device}${tail}`;
}

function join(...paths: unknown[]): string {
  const parts = paths.map((path) => requireText(path, 'path')).filter((path) => path !== '');
  const [first = ''] = parts;
  if (first === '') return '.';
  const joined = parts.join('\\');
  // Whether the first part begins like the name of a server.
  const isServer = /^[\\/]{2}[^\\/]/.test(first);
  const withSingleRoot = isServer ? joined : joined.replace(/^[\\/]{2,}/, '\\');
  const names = withSingleRoot.split(/\\+/);
  if (names.some((name) => name.includes(':') && isDeviceName(name))) return withSingleRoot.replaceAll('/', '\\');
  return normalize(withSingleRoot);
}

function relative(from: unknown, to: unknown): string {
  if (requireText(from, 'from') === requireText(to, 'to')) return '';
  const target = resolve(to);
  const parts = (path: string): string[] => path.split('\\').filter((part) => part !== '');
  const [fromParts, toParts] = [parts(resolve(from)), parts(target)];
  let commonCount = 0;
  const limit = Math.min(fromParts.length, toParts.length);
  while (commonCount < limit && fromParts[commonCount]?.toLowerCase() === toParts[commonCount]?.toLowerCase())
    commonCount++;
  if (commonCount === 0 && limit > 0) return target;
  return [...fromParts.slice(commonCount).map(() => '..'), ...toParts.slice(commonCount)].join('\\');
}

function toNamespacedPath(path: unknown): unknown {
  if (typeof path !== 'string' || path === '') return path;
  const resolved = resolve(path);
  if (resolved.length <= 2) return path;
  if (/^\\\\[^?.]/.test(resolved)) return `\\\\?\\UNC\\${resolved.slice(2)}`;
  return /^[a-z]:\\/i.test(resolved) ? `\\\\?\\${resolved}` : resolved;
}

/** The index of the slash before the last name; -1: none. */
function lastSlash(tail: string): number {
  const names = tail.replace(/[\\/]+$/, '');
  return Math.max(names.lastIndexOf('\\'), names.lastIndexOf('/'));
}

/** The end of the root, including the separator after it. */
function rootEnd(path: string): number {
  const { end, isShare } = rootOf(path);
  const share = isShare ? /^[\\/]{2}[^\\/]+[\\/]+[^\\/]+/.exec(path)?.[0].length : undefined;
  if (share !== undefined) return Math.min(share + 1, path.length);
  return end === 0 && /^[\\/]/.test(path) ? 1 : end;
}

function dirname(path: unknown): string {
  const text = requireText(path, 'path');
  if (text === '') return '.';
  const end = rootEnd(text);
  const slash = lastSlash(text.slice(end));
  if (slash >= 0) return text.slice(0, end + slash);
  return end === 0 ? '.' : text.slice(0, end);
}

const asPosix = (text: string): string => text.replaceAll('\\', '/');
const withoutDrive = (text: string): string => asPosix(text.replace(drive, ''));

function basename(path: unknown, suffix?: unknown): string {
  const end = suffix === undefined ? '' : requireText(suffix, 'suffix');
  const text = requireText(path, 'path');
  const withoutLetter = text.replace(drive, '');
  const name = posix.basename(asPosix(withoutLetter));
  if (end === '' || end.length > text.length) return name;
  if (end === text) return '';
  // If the suffix is longer than the name, Node keeps the slashes after the name.
  if (end.length > name.length && end.endsWith(name)) return withoutLetter.slice(lastSlash(withoutLetter) + 1);
  return name !== end && name.endsWith(end) ? name.slice(0, -end.length) : name;
}

const extname = (path: unknown): string => posix.extname(withoutDrive(requireText(path, 'path')));

function parse(path: unknown): object {
  const text = requireText(path, 'path');
  const end = rootEnd(text);
  const root = text.slice(0, end);
  const { base, ext, name } = posix.parse(asPosix(text.slice(end)).replace(/^\/+/, ''));
  const slash = lastSlash(text.slice(end));
  return { root, dir: slash > 0 || (slash === 0 && end === 0) ? text.slice(0, end + slash) : root, base, ext, name };
}

const isAbsolute = (path: unknown): boolean => /^(?:[\\/]|[a-z]:[\\/])/i.test(requireText(path, 'path'));

interface Parts {
  readonly dir?: string;
  readonly root?: string;
  readonly base?: string;
  readonly name?: string;
  readonly ext?: string;
}

function format(parts: Parts): string {
  if (typeof parts !== 'object' || parts === null)
    throw Object.assign(new TypeError('The "pathObject" argument must be of type object'), {
      code: 'ERR_INVALID_ARG_TYPE',
    });
  const { root, name = '', ext = '' } = parts;
  const dir = parts.dir || root;
  const base = parts.base || `${name}${ext === '' || ext.startsWith('.') ? ext : `.${ext}`}`;
  if (!dir) return base;
  return dir === root ? `${dir}${base}` : `${dir}\\${base}`;
}

const pathFunctions = { resolve, normalize, isAbsolute, join, relative, toNamespacedPath, dirname, basename, extname };

export const win32 = { ...pathFunctions, format, parse, sep: '\\', delimiter: ';', _makeLong: toNamespacedPath };
