// Finds the root of a Windows path: a drive, the share of a server, a device, a slash, or nothing.

export interface Root {
  /** `C:` or `\\server\share`, with backslashes; empty: no device. */
  readonly device: string;
  /** The index where the rest begins. */
  readonly end: number;
  readonly isAbsolute: boolean;
  readonly isShare: boolean;
}

const sharePattern = /^[\\/]{2}([^\\/]+)[\\/]+([^\\/]+)/;
const reservedName = /^(?:con|prn|aux|nul|(?:com|lpt)[1-9¹²³])$/i;

function serverRoot(path: string, [all, server = '', name = '']: RegExpExecArray, isNormal: boolean): Root {
  if (server !== '.' && server !== '?')
    return { device: `\\\\${server}\\${name}`, end: all.length, isAbsolute: true, isShare: true };
  const special = path.slice(4, path.indexOf(':') + 1);
  if (isNormal && reservedName.test(special.slice(0, -1)))
    return { device: `\\\\?\\${special}`, end: 4 + special.length, isAbsolute: true, isShare: false };
  return { device: `\\\\${server}`, end: 4, isAbsolute: true, isShare: false };
}

/** `isNormal`: device names are roots too, as in `normalize`. */
export function rootOf(path: string, isNormal = false): Root {
  const found = sharePattern.exec(path);
  if (found) return serverRoot(path, found, isNormal);
  if (/^[\\/]/.test(path)) return { device: '', end: /^[\\/]{2}/.test(path) ? 0 : 1, isAbsolute: true, isShare: false };
  if (/^[a-z]:/i.test(path)) {
    const isAbsolute = /[\\/]/.test(path[2] ?? '');
    return { device: path.slice(0, 2), end: isAbsolute ? 3 : 2, isAbsolute, isShare: false };
  }
  const colon = path.indexOf(':');
  if (isNormal && colon > 0 && reservedName.test(path.slice(0, colon)))
    return { device: path.slice(0, colon + 1), end: colon + 1, isAbsolute: false, isShare: false };
  return { device: '', end: 0, isAbsolute: false, isShare: false };
}
