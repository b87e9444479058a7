// The configuration of every engine: one typed object, read once from the environment, every value checked.
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import type { EgressMap, EgressProxy } from '../../egress/index.ts';
import { parseEgressMap } from './egress-map.ts';
import { EndpointHosts } from '../../domain/source/endpoint/endpoint-hosts.ts';
import { parseEgressProxy, describeProxy } from './egress-proxy.ts';
import {
  parseBytes,
  parseCertificates,
  parseCidrs,
  parseCount,
  parseHost,
  parseMasterKey,
  parsePort,
  parseEndpointUrl,
  parsePublicUrl,
  parseToken,
} from './parse.ts';
import { Settings } from './settings.ts';
import type { Environment, SettingTraits } from './settings.ts';

export interface Config {
  /** 1 to 65535. */
  readonly port: number;
  /** Address or name to listen on. */
  readonly host: string;
  /** Absolute. */
  readonly dataDir: string;
  /** CIDRs that deliveries and components can reach although they are private or this machine's. */
  readonly egressAllow: readonly string[];
  /** By host: the address to which its requests and deliveries are sent instead. */
  readonly egressMap: EgressMap;
  /** The proxy for all other hosts. */
  readonly egressProxy: EgressProxy | undefined;
  /** A file of certificates that Node trusts in addition. */
  readonly authoritiesFile: string | undefined;
  /** Where clients reach the service, without a slash at the end. */
  readonly publicUrl: string;
  /**
   * The beginning of endpoint URLs, if endpoints have their own host, or with `*` for a host of each; undefined:
   * `publicUrl`.
   */
  readonly endpointUrl: string | undefined;
  /** CIDRs of the proxies in front of the service, whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  /** What other machines must send to read the metrics; undefined: they may not. */
  readonly metricsToken: string | undefined;
  /** 32 bytes; undefined when the environment names none. */
  readonly masterKey: Buffer | undefined;
  /** How long events, runs, triggers, hooks and deliveries are kept; 0: forever. */
  readonly retentionDays: number;
  /** Size of the embedded log above which the oldest of these are deleted, whatever their age; undefined: no limit. */
  readonly retentionBytes: number | undefined;
  /** How long a record can stay without a signed checkpoint. */
  readonly checkpointSeconds: number;
}

/**
 * The settings, with the accepted typing errors: short names (PORT, HOST) resemble many unrelated variables, longer
 * ones few.
 */
export const settingNames = {
  PORT: {},
  HOST: {},
  DATA_DIR: { typosMax: 1 },
  EGRESS_ALLOW: { typosMax: 2 },
  EGRESS_MAP: { typosMax: 1 },
  EGRESS_PROXY: { typosMax: 1, secret: true },
  NODE_EXTRA_CA_CERTS: { typosMax: 1 },
  PUBLIC_URL: { typosMax: 1 },
  ENDPOINT_URL: { typosMax: 1 },
  TRUSTED_PROXIES: { typosMax: 2 },
  MASTER_KEY: { typosMax: 1, secret: true, neverEmpty: true },
  METRICS_TOKEN: { typosMax: 2, secret: true },
  RETENTION_DAYS: { typosMax: 2 },
  RETENTION_BYTES: { typosMax: 2 },
  CHECKPOINT_SECONDS: { typosMax: 2 },
} as const satisfies Record<string, SettingTraits>;
export type SettingName = keyof typeof settingNames;

/** A quarter of a year: most questions are about the last weeks. */
const retentionDaysDefault = 90;
/** A hundred years: no clock is wrong by more. */
const retentionDaysMax = 36_500;

/** Room for the last hour under some traffic, which is never deleted for its size. */
const retentionBytesMin = 64 * 1024 * 1024;

/** A minute: records that are not signed yet can be changed undetected. */
const checkpointSeconds = 60;

/** Every setting as a readable text for start-up, with secrets masked. */
export type Summary<Name extends string> = Readonly<Record<Name, string>>;

/** Throws ConfigError. An empty variable counts as not set, except MASTER_KEY. */
export function readConfig(environment: Environment = process.env): Config {
  const settings = new Settings(environment, settingNames);
  const config = configOf(settings);
  settings.check();
  return config;
}

/** Parses the settings of every engine, and collects problems in `settings`. */
export function configOf(settings: Settings<SettingName>): Config {
  const port = settings.value('PORT', 3000, parsePort);
  const host = settings.value('HOST', '127.0.0.1', parseHost);
  const publicUrl = settings.value('PUBLIC_URL', serviceUrl(host, port), parsePublicUrl);
  const endpointUrl = settings.value<string | undefined>('ENDPOINT_URL', undefined, parseEndpointUrl);
  if (endpointUrl !== undefined && new EndpointHosts({ publicUrl, endpointUrl }).isOfEndpoints(new URL(publicUrl).host))
    settings.addProblem('ENDPOINT_URL', 'has the host of PUBLIC_URL: give it a host of its own, or leave it out');
  return {
    port,
    host,
    dataDir: settings.value('DATA_DIR', resolve('data'), (text) => resolve(text)),
    egressAllow: settings.value('EGRESS_ALLOW', [], parseCidrs),
    egressMap: settings.value('EGRESS_MAP', {}, parseEgressMap),
    egressProxy: settings.value<EgressProxy | undefined>('EGRESS_PROXY', undefined, parseEgressProxy),
    authoritiesFile: settings.value<string | undefined>('NODE_EXTRA_CA_CERTS', undefined, parseCertificates),
    publicUrl,
    endpointUrl,
    trustedProxies: settings.value('TRUSTED_PROXIES', [], parseCidrs),
    metricsToken: settings.value<string | undefined>('METRICS_TOKEN', undefined, parseToken),
    retentionDays: settings.value('RETENTION_DAYS', retentionDaysDefault, parseCount(0, retentionDaysMax)),
    retentionBytes: settings.value<number | undefined>('RETENTION_BYTES', undefined, parseBytes(retentionBytesMin)),
    checkpointSeconds: settings.value('CHECKPOINT_SECONDS', checkpointSeconds, parseCount(1, checkpointSeconds)),
    masterKey: settings.value<Buffer | undefined>('MASTER_KEY', undefined, parseMasterKey),
  };
}

/** The environment for npm's configuration, in which a `.npmrc` can name any variable. */
export const npmEnvironment = (): Environment => process.env;

export function configSummary(config: Config): Summary<SettingName> {
  return {
    PORT: String(config.port),
    HOST: config.host,
    DATA_DIR: config.dataDir,
    EGRESS_ALLOW: config.egressAllow.join(',') || '(none)',
    EGRESS_MAP: Object.keys(config.egressMap).join(',') || '(none)',
    EGRESS_PROXY: describeProxy(config.egressProxy),
    NODE_EXTRA_CA_CERTS: config.authoritiesFile ?? '(none)',
    PUBLIC_URL: config.publicUrl,
    ENDPOINT_URL: config.endpointUrl ?? '(as PUBLIC_URL)',
    TRUSTED_PROXIES: config.trustedProxies.join(',') || '(none)',
    MASTER_KEY: config.masterKey === undefined ? '(kept in the data directory)' : '(given)',
    METRICS_TOKEN: config.metricsToken === undefined ? '(none)' : '(given)',
    RETENTION_DAYS: config.retentionDays === 0 ? '0 (forever)' : String(config.retentionDays),
    RETENTION_BYTES: config.retentionBytes === undefined ? '(any)' : String(config.retentionBytes),
    CHECKPOINT_SECONDS: String(config.checkpointSeconds),
  };
}

/** Returns the URL at which a process on this machine reaches a service that listens on the address or name. */
export const serviceUrl = (host: string, port: number): string => `http://${reachableHost(host)}:${port}`;

/** A wildcard host is reached at the local address; an IPv6 address is put in brackets. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return isIP(host) === 6 ? `[${host}]` : host;
}
