// The file in which `pd login` stores the URL and key of each profile; only its owner may read it.
import { chmod, mkdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Failure } from '../failures/failure.ts';
import { withFileLock } from './file-lock.ts';

export interface Profile {
  readonly url: string;
  readonly api_key: string;
}

export interface Config {
  readonly profiles: Readonly<Record<string, Profile>>;
}

const ownerOnly = 0o600;
const othersMask = 0o077;

/** Without a file, there are no profiles. Throws a Failure for one that cannot be read or parsed. */
export async function readConfig(path: string): Promise<Config> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { profiles: {} };
    throw new Failure(`${path}, the configuration of pd, cannot be read: ${message}`);
  }
  const config = parseConfig(text);
  if (config === undefined)
    throw new Failure(`${path} is not a configuration of pd.`, undefined, 'Remove it, and run `pd login`.');
  return config;
}

/**
 * Reads the file again before writing, because another `pd` might have changed it meanwhile. Even after a
 * crash, the file is completely the old or the new one.
 */
export async function changeConfig(path: string, change: (config: Config) => Config): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // Loaded only here: few commands write, and its imports take long to load.
  const { writeDurably } = await import('../../../libs/primitives/files/durable-file.ts');
  // Writes to the target of a link: replacing the link would leave a removed key in the target.
  const targetPath = await realpath(path).catch(() => path);
  await withFileLock(targetPath, async () => {
    const config = change(await readConfig(targetPath));
    await writeDurably(targetPath, `${JSON.stringify(config, null, 2)}\n`, ownerOnly);
  });
}

/** Takes read rights from everyone but the owner. `open`: the mode cannot be changed, such as in some mounts. */
export async function restrictToOwner(path: string): Promise<'private' | 'closed' | 'open'> {
  const mode = await stat(path).then(
    (found) => found.mode,
    () => ownerOnly,
  );
  if ((mode & othersMask) === 0) return 'private';
  return chmod(path, ownerOnly).then(
    () => 'closed',
    () => 'open',
  );
}

export const withProfile = ({ profiles }: Config, name: string, profile: Profile): Config => ({
  profiles: { ...profiles, [name]: profile },
});

export function withoutProfile({ profiles }: Config, name: string): Config {
  const { [name]: _, ...others } = profiles;
  return { profiles: others };
}

/** Some editors begin a file with a byte order mark. */
function parseConfig(text: string): Config | undefined {
  try {
    const value = JSON.parse(text.replace(/^\uFEFF/, '')) as { readonly profiles?: unknown } | null;
    const profiles = value?.profiles;
    if (typeof profiles !== 'object' || profiles === null) return undefined;
    return Object.values(profiles).every(isProfile) ? { profiles: profiles as Config['profiles'] } : undefined;
  } catch {
    return undefined;
  }
}

function isProfile(value: unknown): value is Profile {
  const { url, api_key } = (value ?? {}) as Partial<Profile>;
  return typeof url === 'string' && typeof api_key === 'string';
}
