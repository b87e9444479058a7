// Turns errors of an install into messages that tell the deployer what to do, without tokens and paths of npm.
import type { InstallLimits, InstallResult } from '../install-protocol.ts';

/** The requested packages cannot be installed; another try would end the same way. */
export class RefusedInstallError extends Error {
  override readonly name = 'RefusedInstallError';
}

/** Faults of the service's disk, or of its limits of open files. */
const diskErrorCodes: ReadonlySet<unknown> = new Set([
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'EACCES',
  'EPERM',
  'EIO',
  'EMFILE',
  'ENFILE',
]);
/** Faults of a package, whose files no disk accepts. */
const fileErrorCodes: ReadonlySet<unknown> = new Set(['ENAMETOOLONG', 'ENOTDIR', 'EISDIR', 'EEXIST']);
/** System calls of the network, because a firewall's errors can have codes like the disk's. */
const networkSyscalls: ReadonlySet<unknown> = new Set(['connect', 'getaddrinfo']);

interface NpmError extends Error {
  readonly code?: unknown;
  /** The system call that failed. */
  readonly syscall?: unknown;
  /** `name@range`. */
  readonly pkgid?: string;
  readonly spec?: unknown;
  readonly statusCode?: number;
  readonly wanted?: string;
}

/** Removes credentials in URLs, and header values that a registry might repeat. */
const redact = (text: string): string =>
  text
    .replace(/\/\/[^/@\s]+@/g, '//')
    .replace(/\b(bearer|basic)\s+\S+/gi, '$1 ***')
    .replace(/npm_[A-Za-z0-9]{20,}/g, '***')
    .split('\n', 1)[0]
    ?.slice(0, 500) ?? '';

const refused = (message: string): InstallResult => ({ kind: 'refused', message });
const failed = (message: string, again = true): InstallResult => ({ kind: 'failed', message, again });

export const fetchLimitResult = ({ fetchedBytes }: InstallLimits): InstallResult =>
  refused(
    `Its packages, and what the registry says of them, are more than ${fetchedBytes / 1024 / 1024} MiB: import fewer packages`,
  );

/** `requested`: the `name@range` that was being fetched, if it is known. */
export function resultOf(error: unknown, requested: string): InstallResult {
  if (error instanceof RefusedInstallError) return refused(error.message);
  const { code, message = '', statusCode, syscall } = (error ?? {}) as Partial<NpmError>;
  const subject = requested === '' ? 'a package' : requested;
  if (fileErrorCodes.has(code)) {
    return refused(
      `${subject} has files that cannot be written: a name is too long, or a file stands where another has its folder`,
    );
  }
  if (diskErrorCodes.has(code) && !networkSyscalls.has(syscall)) {
    return failed(
      `${subject} could not be written to the disk of the service (${code}): its operator has to look at DATA_DIR`,
    );
  }
  if (code === 'ETARGET' || code === 'ENOVERSIONS') return refused(redact(message));
  if (code === 'E404') return refused(`The registry has no package for ${subject}`);
  if (code === 'E401' || code === 'E403' || code === 'ENEEDAUTH') {
    return failed(
      `The registry refuses ${subject} (${statusCode ?? code}): check the token in npm's configuration`,
      false,
    );
  }
  if (code === 'EINVALIDTAGNAME' || code === 'EINVALIDPACKAGENAME' || String(code).startsWith('EALLOW')) {
    return refused(`${subject} cannot be installed: ${redact(message)}`);
  }
  if (code === 'EINTEGRITY') {
    return failed(
      `What the registry sent for ${subject} does not have the hash that the registry announced: nothing was installed`,
    );
  }
  if (code === 'ADDRESS_REFUSED')
    return failed(`The registry leads elsewhere for ${subject}: ${redact(message)}`, false);
  return failed(`The registry cannot be reached for ${subject}, and no cached version meets it: ${redact(message)}`);
}
