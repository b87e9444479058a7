// Fetches the current packages of components from npm, without their dependencies, which the service resolves.
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The packages of the scope that contain components. */
const apps = [
  'apify',
  'aws',
  'brex',
  'canva',
  'clio',
  'docusign',
  'gitlab',
  'google_drive',
  'helper_functions',
  'launchdarkly',
  'linear_app',
  'linkedin',
  'microsoft_outlook',
  'monday',
  'mysql',
  'notiff_io',
  'notion',
  'pipedream',
  'postgresql',
  'procore',
  'quickbooks',
  'ramp',
  'sftp',
  'shopify',
  'slack',
  'youtube_data_api',
];

export interface ComponentFile {
  readonly type: 'source' | 'action';
  readonly key: string;
  readonly file: string;
  /** `@scope/name@version/path`, as in an import. */
  readonly specifier: string;
}

export class ComponentPackages {
  readonly components: readonly ComponentFile[];
  /** Packages that npm could not fetch, with its message. */
  readonly missing: ReadonlyMap<string, string>;
  readonly #dir: string;

  private constructor(dir: string, missing: ReadonlyMap<string, string>) {
    this.#dir = dir;
    this.missing = missing;
    this.components = readdirSync(dir)
      .filter((name) => existsSync(join(dir, name, 'package.json')))
      .flatMap((name) => componentsIn(join(dir, name)));
  }

  /** Fetches one package after another into a folder; `only`: apps to include. */
  static async fetch(dir: string, only: RegExp): Promise<ComponentPackages> {
    const missing = new Map<string, string>();
    for (const app of apps.filter((name) => only.test(name))) {
      const failure = await unpack(`@pipedream/${app}`, join(dir, app));
      if (failure !== undefined) missing.set(`@pipedream/${app}`, failure);
    }
    return new ComponentPackages(dir, missing);
  }

  /** The file to which an import of another of these packages resolves. */
  fileOf(specifier: string): string | undefined {
    const [, app, path] = /^@pipedream\/([^/@]+)(?:@[^/]+)?(?:\/(.+))?$/.exec(specifier) ?? [];
    if (app === undefined || !existsSync(join(this.#dir, app))) return undefined;
    const file = join(this.#dir, app, path ?? manifestIn(join(this.#dir, app)).main ?? 'index.js');
    return [file, `${file}.mjs`, `${file}.js`].find((one) => existsSync(one));
  }
}

async function unpack(name: string, dir: string): Promise<string | undefined> {
  mkdirSync(dir, { recursive: true });
  try {
    const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', dir, `${name}@latest`]);
    const { status, stderr } = spawnSync('tar', ['-xzf', join(dir, stdout.trim()), '-C', dir, '--strip-components=1']);
    return status === 0 ? undefined : String(stderr);
  } catch (error) {
    return (error as Error).message.split('\n').slice(0, 3).join(' ');
  }
}

interface PackageManifest {
  readonly name: string;
  readonly version: string;
  readonly main?: string;
}

const manifestIn = (dir: string): PackageManifest =>
  JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as PackageManifest;

/** A file is a component if it has the name of its folder, or declares a key. */
function componentsIn(dir: string): readonly ComponentFile[] {
  const { name, version } = manifestIn(dir);
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' });
  return files.flatMap((path) => {
    const kind = /(^|\/)(sources|actions)\/[^/]+\/[^/]+\.(mjs|js|ts)$/.exec(path)?.[2];
    if (kind === undefined || path.endsWith('.d.ts')) return [];
    const file = join(dir, path);
    const key = /^\s*["']?key["']?:\s*["']([\w-]+)["']/m.exec(readFileSync(file, 'utf8'))?.[1];
    const isNamedAfterFolder = basename(path).replace(/\.\w+$/, '') === basename(dirname(path));
    if (key === undefined || !isNamedAfterFolder) return [];
    const type = kind === 'sources' ? 'source' : 'action';
    return [{ type, key, file, specifier: `${name}@${version}/${relative(dir, file)}` }];
  });
}
