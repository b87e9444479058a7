// Node's path: of POSIX by default, with that of Windows beside it.
import path from 'path-browserify';
import { win32 as windows } from './win32.ts';

export const posix = Object.assign(path, { posix: path, win32: windows });
export const win32 = Object.assign(windows, { posix, win32: windows });
