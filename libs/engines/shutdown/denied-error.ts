// Translates system errors about files, such as denied access or a full disk, into messages that say what to do.

/** The process cannot open a file of the data directory, has no room for it, or found something else in its place. */
export class DeniedError extends Error {
  constructor(cause: NodeJS.ErrnoException) {
    const { code = '', path = 'A file' } = cause;
    super(`${path} cannot be used (${code}): ${reasons[code] ?? notAllowed}`, { cause });
    this.name = 'DeniedError';
  }
}

const notAllowed = 'the user who runs this may not open it. Give DATA_DIR to this user, with all that is in it.';
const full = 'its disk is full. Make room there and start again, or set DATA_DIR to a directory on another disk.';
const isDirectory =
  'it is a directory, as a container makes one where the file that is to be mounted is missing. ' +
  'Remove the directory, and put the file there if there was one.';
const tooMany = 'too many files and connections are open. Allow more of them, as by `ulimit -n 65536`.';
const isFile = 'it is a file, and a directory belongs there. Move it away.';

const reasons: Readonly<Record<string, string>> = {
  EACCES: notAllowed,
  EPERM: notAllowed,
  EROFS: 'its disk is read-only. Mount it for writing, or set DATA_DIR to another directory.',
  ENOSPC: full,
  EDQUOT: full,
  EISDIR: isDirectory,
  EFTYPE: 'it is a pipe, a socket or a device, and a file belongs there. Move it away.',
  EMFILE: tooMany,
  ENFILE: tooMany,
  EEXIST: isFile,
  ENOTDIR: isFile,
};

/** Codes for which Node does not name the file: no room, or too many open files. */
const withoutPath: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE']);

/** Returns a DeniedError for a system error about a file, and any other error unchanged. */
export function explainFileError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code = '', path } = error as NodeJS.ErrnoException;
  return Object.hasOwn(reasons, code) && (path !== undefined || withoutPath.has(code)) ? new DeniedError(error) : error;
}
