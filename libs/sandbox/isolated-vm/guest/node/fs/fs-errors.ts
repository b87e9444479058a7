// The errors of the file system, in Node's words.

const errorKinds = {
  EPERM: [-1, 'operation not permitted'],
  ENOENT: [-2, 'no such file or directory'],
  EBADF: [-9, 'bad file descriptor'],
  EACCES: [-13, 'permission denied'],
  EEXIST: [-17, 'file already exists'],
  ENOTDIR: [-20, 'not a directory'],
  EISDIR: [-21, 'illegal operation on a directory'],
  EINVAL: [-22, 'invalid argument'],
  EMFILE: [-24, 'too many open files'],
  ENOSPC: [-28, 'no space left on device'],
  ENAMETOOLONG: [-36, 'name too long'],
  ENOTEMPTY: [-39, 'directory not empty'],
} as const;

type ErrorCode = keyof typeof errorKinds;

/** The call that failed and its path; `hint` explains more than the code. */
export interface SyscallContext {
  readonly syscall: string;
  readonly path?: string | undefined;
  readonly dest?: string | undefined;
  readonly hint?: string | undefined;
}

export function systemError(code: ErrorCode, { syscall, path, dest, hint }: SyscallContext): Error {
  const [errno, text] = errorKinds[code];
  const paths = `${path === undefined ? '' : ` '${path}'`}${dest === undefined ? '' : ` -> '${dest}'`}`;
  const error = new Error(`${code}: ${text}, ${syscall}${paths}${hint === undefined ? '' : ` (${hint})`}`);
  const fields = {
    errno,
    code,
    syscall,
    ...(path === undefined ? {} : { path }),
    ...(dest === undefined ? {} : { dest }),
  };
  return Object.assign(error, fields);
}

/** The error for an invalid argument, thrown before anything is done. */
export function argumentError(code: string, message: string): TypeError {
  return Object.assign(new TypeError(message), { code });
}

export const unavailableError = (message: string): Error =>
  Object.assign(new Error(message), { code: 'ERR_NOT_AVAILABLE' });
