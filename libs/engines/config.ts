// The product's configuration: one typed object, read once from the environment, every value checked.
import { isIP } from 'node:net';
import { resolve } from 'node:path';

export interface Config {
  /** 1 to 65535. */
  readonly port: number;
  /** Address or name to listen on. */
  readonly host: string;
  /** Absolute. */
  readonly dataDir: string;
  /** CIDRs that deliveries and components may reach although private. */
  readonly egressAllow: readonly string[];
  /** What endpoint URLs start with, without a slash at the end. */
  readonly publicUrl: string;
  /** 32 bytes; undefined when the environment names none (the embedded engine then keeps its own). */
  readonly masterKey: Buffer | undefined;
}

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

const names = ['PORT', 'HOST', 'DATA_DIR', 'EGRESS_ALLOW', 'PUBLIC_URL', 'MASTER_KEY'] as const;
type Name = (typeof names)[number];

/** AES-256. */
export const masterKeyBytes = 32;

/** Every problem found, one a line: names the variable, the value found, and what to do. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(`The configuration is refused:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/** Throws ConfigError. A variable that is set to nothing counts as not set, but for MASTER_KEY. */
export function readConfig(environment: Environment = process.env): Config {
  const problems = misspelt(environment);
  const value = <T>(name: Name, fallback: T, parse: (text: string) => T): T => {
    const text = environment[name];
    if (text === undefined || (text === '' && name !== 'MASTER_KEY')) return fallback;
    try {
      return parse(text);
    } catch (error) {
      const found = name === 'MASTER_KEY' ? `has ${text.length} characters` : `is ${JSON.stringify(text)}`;
      problems.push(`${name} ${found}: ${(error as Error).message}`);
      return fallback;
    }
  };
  const port = value('PORT', 3000, parsePort);
  const host = value('HOST', '127.0.0.1', parseHost);
  const config: Config = {
    port,
    host,
    dataDir: value('DATA_DIR', resolve('data'), (text) => resolve(text)),
    egressAllow: value('EGRESS_ALLOW', [], parseCidrs),
    publicUrl: value('PUBLIC_URL', `http://${reachable(host)}:${port}`, parsePublicUrl),
    masterKey: value<Buffer | undefined>('MASTER_KEY', undefined, parseMasterKey),
  };
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** For people, at start-up: every setting, secrets masked. */
export function configSummary(config: Config): Readonly<Record<Name, string>> {
  return {
    PORT: String(config.port),
    HOST: config.host,
    DATA_DIR: config.dataDir,
    EGRESS_ALLOW: config.egressAllow.length === 0 ? '(none)' : config.egressAllow.join(','),
    PUBLIC_URL: config.publicUrl,
    MASTER_KEY: config.masterKey === undefined ? '(kept in the data directory)' : '(given)',
  };
}

/** 32 bytes from 64 hex digits or from base64. Throws an Error that says what is wanted and never shows the text. */
export function parseMasterKey(text: string): Buffer {
  const wanted = 'give 32 bytes as 64 hex digits or 44 characters of base64, as `openssl rand -base64 32` prints them';
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  const key = /^[0-9a-z+/_-]{43}=?$/i.test(text) ? Buffer.from(text, 'base64') : undefined;
  if (key?.length !== masterKeyBytes) throw new Error(wanted);
  return key;
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new Error('give a port number from 1 to 65535');
  return port;
}

function parseHost(text: string): string {
  const isName = text.length <= 253 && /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) && !/^[\d.]+$/.test(text);
  if (isIP(text) === 0 && !isName) throw new Error('give an address or a host name, without scheme, brackets or port');
  return text;
}

function parseCidrs(text: string): readonly string[] {
  return text.split(',').map((item) => {
    const cidr = item.trim();
    const [address = '', prefix, ...rest] = cidr.split('/');
    const bits = isIP(address) === 4 ? 32 : 128;
    if (isIP(address) === 0 || address.includes('%') || rest.length > 0) {
      throw new Error(`${JSON.stringify(cidr)} is no CIDR; give ranges such as 10.0.0.0/8, separated by commas`);
    }
    if (prefix === undefined)
      throw new Error(`${cidr} has no prefix length; for this one address give ${cidr}/${bits}`);
    if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > bits) {
      throw new Error(`${cidr} has a wrong prefix length; give 0 to ${bits}`);
    }
    return cidr;
  });
}

function parsePublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const plain = url !== undefined && /^https?:$/.test(url.protocol) && !url.username && !url.password;
  if (!plain || /[?#\s]/.test(text)) {
    throw new Error('give an http or https URL without user, query or fragment, such as https://hooks.example.com');
  }
  return url.href.replace(/\/+$/, '');
}

/** A host that stands for every address is reached at the local one; an IPv6 address goes in brackets. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return isIP(host) === 6 ? `[${host}]` : host;
}

/** Short names (PORT, HOST) have innocent neighbours, and the longer ones have few: this many letters may differ. */
const slipsMax: Readonly<Partial<Record<Name, number>>> = {
  DATA_DIR: 1,
  EGRESS_ALLOW: 2,
  PUBLIC_URL: 1,
  MASTER_KEY: 1,
};

/** The environment holds the settings of others too, so only what almost is a name of ours is refused. */
function misspelt(environment: Environment): string[] {
  return Object.keys(environment).flatMap((found) => {
    const name = names.find((known) => slips(found.toUpperCase(), known) <= (slipsMax[known] ?? -1));
    const wrong = name !== undefined && name !== found;
    return wrong ? [`${found} is no setting: write ${name}, or remove it`] : [];
  });
}

/** Levenshtein distance, except that a difference in length above any bound is not worked out. */
function slips(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return Infinity;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      const changed = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(changed, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
