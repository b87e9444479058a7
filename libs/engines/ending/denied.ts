// Why a start ends at a file that its user may not open, for people.

/** The system denies the process a file of the data directory. */
export class DeniedError extends Error {
  constructor(path: string, cause: NodeJS.ErrnoException) {
    const why =
      cause.code === 'EROFS'
        ? 'its disk is read-only. Mount it for writing, or set DATA_DIR to another directory.'
        : 'the user who runs this may not open it. Give DATA_DIR to this user, with all that is in it.';
    super(`${path} cannot be used (${cause.code}): ${why}`, { cause });
    this.name = 'DeniedError';
  }
}

const codes: ReadonlySet<string | undefined> = new Set(['EACCES', 'EPERM', 'EROFS']);

/** The same error, unless the system denied a file. */
export function deniedOr(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code, path } = error as NodeJS.ErrnoException;
  return path !== undefined && codes.has(code) ? new DeniedError(path, error) : error;
}
