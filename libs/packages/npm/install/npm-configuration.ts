// Reads npm's own configuration of registries, as npm does: .npmrc files and npm_config_* variables.
import { createRequire } from 'node:module';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Options for npm's libraries; some are secrets. */
export type RegistryOptions = Readonly<Record<string, unknown>>;

interface NpmConfig {
  readonly flat: RegistryOptions;
  load(): Promise<void>;
}

const require = createRequire(import.meta.url);

/** The options for requests; all others, such as `prefer-offline`, are for installs by hand. */
const requestOptions: ReadonlySet<string> = new Set([
  'registry',
  'replaceRegistryHost',
  'scope',
  '_auth',
  'before',
  'minReleaseAgeExclude',
  'userAgent',
  'proxy',
  'httpsProxy',
  'noProxy',
  'localAddress',
  'maxSockets',
  'ca',
  'cert',
  'key',
  'strictSSL',
]);

/** `//host/:_authToken` and the like, and the registries of scopes. */
const isOfRegistry = (name: string): boolean => name.startsWith('//') || /^@[^/]+:registry$/.test(name);

/** Reads the configuration anew at each call, so that a replaced token is used by the next install. */
export async function readRegistryOptions(environment: Environment, folder: string): Promise<RegistryOptions> {
  const Config = require('@npmcli/config') as new (options: object) => NpmConfig;
  const { definitions, shorthands, flatten } = require('@npmcli/config/lib/definitions') as Record<string, object>;
  // It changes the environment that it receives, and looks for npm's own files in `npmPath`.
  const options = { definitions, shorthands, flatten, argv: [], env: { ...environment }, cwd: folder, npmPath: folder };
  const config = new Config({ ...options, execPath: process.execPath, platform: process.platform, warn: false });
  await config.load();
  const entries = Object.entries(config.flat).filter(([name]) => requestOptions.has(name) || isOfRegistry(name));
  return Object.fromEntries(entries.filter(([, value]) => value !== null && value !== undefined));
}

const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** `host:port` of the registries and proxies that the operator has configured, which can have any address. */
export function trustedOrigins(options: RegistryOptions): readonly string[] {
  const urls = Object.entries(options).flatMap(([name, value]) => {
    const isUrl = name === 'registry' || name === 'proxy' || name === 'httpsProxy' || name.endsWith(':registry');
    const url = isUrl && typeof value === 'string' ? URL.parse(value) : null;
    return url === null ? [] : [url];
  });
  return urls.map(({ hostname, port, protocol }) => {
    return `${hostname.replace(/^\[|\]$/g, '').toLowerCase()}:${port || defaultPorts[protocol] || ''}`;
  });
}
