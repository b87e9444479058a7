// Node's path module: POSIX by default, with `win32` as a field.
import { matchesGlob } from './glob.ts';
import { posixPath } from './posix.ts';
import { win32 as windows } from './win32.ts';

export const posix = Object.assign(posixPath, { posix: posixPath, win32: windows, matchesGlob });
export const win32 = Object.assign(windows, { posix, win32: windows });
