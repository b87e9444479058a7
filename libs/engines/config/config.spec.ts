import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { rootCertificates } from 'node:tls';
import { removeLater } from '../../../test/support/processes/left-behind.ts';
import { configSummary, readConfig, serviceUrl } from './config.ts';
import { ConfigError } from './settings.ts';
import type { Environment } from './settings.ts';

const key = Buffer.from(Array.from({ length: 32 }, (_, i) => i * 7));

const refusal = (environment: Environment): string => {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'accepted';
};

test('an empty environment gives the documented defaults', () => {
  expect(readConfig({})).toEqual({
    port: 3000,
    host: '127.0.0.1',
    dataDir: resolve('data'),
    egressAllow: [],
    egressMap: {},
    trustedProxies: [],
    authoritiesFile: undefined,
    publicUrl: 'http://127.0.0.1:3000',
    masterKey: undefined,
    retentionDays: 90,
    retentionBytes: undefined,
    checkpointSeconds: 60,
  });
});

test('every setting is read from its variable', async () => {
  const authorities = join(removeLater(await mkdtemp(join(tmpdir(), 'config-'))), 'ca.pem');
  await writeFile(authorities, rootCertificates[0] ?? '');
  const environment = {
    PORT: '8080',
    HOST: '0.0.0.0',
    DATA_DIR: '/var/lib/wellspring',
    EGRESS_ALLOW: '10.0.0.0/8, fd00::/8',
    EGRESS_MAP: 'API.example.com=10.1.2.3:8443, b=[fd00::7]:80',
    NODE_EXTRA_CA_CERTS: authorities,
    PUBLIC_URL: 'https://hooks.example.com/in/',
    ENDPOINT_URL: 'https://e.example.com/',
    MASTER_KEY: key.toString('base64'),
    TRUSTED_PROXIES: '127.0.0.1/32, fd00::/8',
    METRICS_TOKEN: 'a-token-of-some-length',
    RETENTION_DAYS: '0',
    RETENTION_BYTES: '20000000000',
    CHECKPOINT_SECONDS: '5',
  };
  expect(readConfig(environment)).toEqual({
    port: 8080,
    host: '0.0.0.0',
    dataDir: '/var/lib/wellspring',
    egressAllow: ['10.0.0.0/8', 'fd00::/8'],
    egressMap: { 'api.example.com': { address: '10.1.2.3', port: 8443 }, b: { address: 'fd00::7', port: 80 } },
    authoritiesFile: authorities,
    publicUrl: 'https://hooks.example.com/in',
    endpointUrl: 'https://e.example.com',
    masterKey: key,
    trustedProxies: ['127.0.0.1/32', 'fd00::/8'],
    metricsToken: 'a-token-of-some-length',
    retentionDays: 0,
    retentionBytes: 20_000_000_000,
    checkpointSeconds: 5,
  });
});

test.each([
  ['0.0.0.0', 'http://127.0.0.1:3000'],
  ['::', 'http://[::1]:3000'],
  ['fd00::7', 'http://[fd00::7]:3000'],
  ['localhost', 'http://localhost:3000'],
])('without PUBLIC_URL a service on host %s is reached at %s', (HOST, url) => {
  expect(readConfig({ HOST }).publicUrl).toBe(url);
  expect(serviceUrl(HOST, 3000)).toBe(url);
});

test.each([key.toString('hex'), key.toString('hex').toUpperCase(), key.toString('base64'), key.toString('base64url')])(
  'the master key may be written as %s',
  (MASTER_KEY) => {
    expect(readConfig({ MASTER_KEY }).masterKey).toEqual(key);
  },
);

test.each([
  ['PORT', '0'],
  ['PORT', '65536'],
  ['PORT', '3000x'],
  ['PORT', '-1'],
  ['PORT', ' 80'],
  ['HOST', 'http://localhost'],
  ['HOST', '127.0.0.1:80'],
  ['HOST', '300.0.0.1'],
  ['HOST', '[::1]'],
  ['EGRESS_ALLOW', '10.0.0.0'],
  ['TRUSTED_PROXIES', 'localhost'],
  ['EGRESS_ALLOW', '10.0.0.0/33'],
  ['EGRESS_MAP', 'a.example'],
  ['EGRESS_MAP', 'a.example=10.0.0.1'],
  ['EGRESS_MAP', 'a.example=10.0.0.1:0'],
  ['EGRESS_MAP', 'a.example=10.0.0.1:80,a.example=10.0.0.2:80'],
  ['EGRESS_ALLOW', '10.0.0.0/8,'],
  ['EGRESS_ALLOW', '10.0.0.0/8/8'],
  ['EGRESS_ALLOW', 'localhost/8'],
  ['EGRESS_ALLOW', 'fd00::/129'],
  ['EGRESS_ALLOW', 'fe80::1%eth0/64'],
  ['PUBLIC_URL', 'hooks.example.com'],
  ['PUBLIC_URL', 'ftp://hooks.example.com'],
  ['PUBLIC_URL', 'https://hooks.example.com/?a=b'],
  ['ENDPOINT_URL', 'e.example.com'],
  ['ENDPOINT_URL', 'ftp://*.hooks.example.com'],
  ['RETENTION_DAYS', '-1'],
  ['RETENTION_DAYS', '1.5'],
  ['RETENTION_DAYS', '36501'],
  ['RETENTION_DAYS', 'never'],
  ['CHECKPOINT_SECONDS', '0'],
  ['CHECKPOINT_SECONDS', '61'],
  ['RETENTION_BYTES', '1000'],
  ['RETENTION_BYTES', '20GB'],
  ['NODE_EXTRA_CA_CERTS', '/no/such/file.pem'],
  ['NODE_EXTRA_CA_CERTS', 'package.json'],
])('%s = %j is refused with its name, the value found and what to do', (name, value) => {
  const message = refusal({ [name]: value });
  expect(message).toContain(`${name} is ${JSON.stringify(value)}`);
  expect(message).toMatch(/give /);
});

test('a URL that is refused for its password is shown without it', () => {
  const message = refusal({ PUBLIC_URL: 'https://me:pass@hooks.example.com' });
  expect(message).toContain('PUBLIC_URL is "https://...@hooks.example.com": give an http or https URL without user');
});

test('ENDPOINT_URL with the host of PUBLIC_URL is refused', () => {
  const shared = { PUBLIC_URL: 'https://hooks.example.com', ENDPOINT_URL: 'https://hooks.example.com:8443' };
  expect(refusal(shared)).toContain('ENDPOINT_URL has the host of PUBLIC_URL: give it a host of its own');
});

test('ENDPOINT_URL can give each endpoint a host of its own', () => {
  const { endpointUrl } = readConfig({ ENDPOINT_URL: 'https://*.hooks.example.com:8443/' });
  expect(endpointUrl).toBe('https://*.hooks.example.com:8443');
});

test.each([
  'https://a.*.example.com',
  'https://*.*.example.com',
  'https://a*.example.com',
  'https://*',
  'https://*.e/in',
])('ENDPOINT_URL with * anywhere but as the first part of its host, such as %s, is refused', (ENDPOINT_URL) => {
  expect(refusal({ ENDPOINT_URL })).toContain('write * only in place of the first part of the host, without a path');
});

test.each(['https://hooks.example.com', 'https://console.hooks.example.com'])(
  'PUBLIC_URL %s among the hosts of endpoints is refused',
  (PUBLIC_URL) => {
    const shared = { PUBLIC_URL, ENDPOINT_URL: 'https://*.hooks.example.com' };
    expect(refusal(shared)).toContain('ENDPOINT_URL has the host of PUBLIC_URL: give it a host of its own');
  },
);

test.each([
  '',
  'secret',
  key.toString('hex').slice(1),
  key.subarray(1).toString('base64'),
  `${key.toString('base64')}A`,
])('a wrong master key is refused and never shown: %j', (MASTER_KEY) => {
  const message = refusal({ MASTER_KEY });
  expect(message).toContain(`MASTER_KEY has ${MASTER_KEY.length} characters: give 32 bytes`);
  if (MASTER_KEY !== '') expect(message).not.toContain(MASTER_KEY);
});

test.each([
  ['EGRESS_ALOW', 'EGRESS_ALLOW'],
  ['EGRES_ALOW', 'EGRESS_ALLOW'],
  ['EGRESS_ALLOWED', 'EGRESS_ALLOW'],
  ['DATADIR', 'DATA_DIR'],
  ['data_dir', 'DATA_DIR'],
  ['PUBLIC_URLS', 'PUBLIC_URL'],
  ['ENDPOINTS_URL', 'ENDPOINT_URL'],
  ['MASTERKEY', 'MASTER_KEY'],
  ['RETENTION_DAY', 'RETENTION_DAYS'],
])('the misspelt name %s is refused and %s proposed', (found, name) => {
  expect(refusal({ [found]: 'x' })).toContain(`${found} is no setting: write ${name}, or remove it`);
});

test('variables of other programs are ignored', () => {
  const others = ['PATH', 'HOSTNAME', 'PORTS', 'POST', 'GHOST', 'npm_config_cache', 'PUBLIC_KEY', 'DATA_URL', 'HOME'];
  expect(refusal(Object.fromEntries(others.map((name) => [name, 'x'])))).toBe('accepted');
});

test('all problems are reported at once', () => {
  const message = refusal({ PORT: 'x', EGRESS_ALLOW: 'y', DATADIR: 'z' });
  expect(message.split('\n')).toHaveLength(4);
});

test('the summary names every setting and shows no secret', () => {
  const summary = configSummary(readConfig({ MASTER_KEY: key.toString('hex'), EGRESS_ALLOW: '127.0.0.0/8' }));
  expect(summary).toMatchObject({ PORT: '3000', EGRESS_ALLOW: '127.0.0.0/8', MASTER_KEY: '(given)' });
  expect(JSON.stringify(summary)).not.toContain(key.toString('hex'));
});

describe('EGRESS_PROXY', () => {
  const egressProxy = (EGRESS_PROXY: string) => readConfig({ EGRESS_PROXY }).egressProxy;

  test('is an http URL, with credentials or without', () => {
    expect(egressProxy('http://proxy.example:3128')).toEqual({ host: 'proxy.example', port: 3128 });
    expect(egressProxy('http://[fd00::1]/')).toEqual({ host: 'fd00::1', port: 80 });
    expect(egressProxy('http://me:p%40ss%3A@10.0.0.1:8080')).toEqual({
      host: '10.0.0.1',
      port: 8_080,
      authorization: `Basic ${Buffer.from('me:p@ss:').toString('base64')}`,
    });
  });

  test.each([
    'proxy:3128',
    'https://proxy',
    'socks5://proxy',
    'http://proxy/x',
    'http://proxy?a',
    'http://me:100%hush@proxy',
  ])('%s is refused with what to do, and is not shown', (EGRESS_PROXY) => {
    const message = refusal({ EGRESS_PROXY });
    expect(message).toMatch(/EGRESS_PROXY has \d+ characters: .*(give|write)/);
    expect(message).not.toContain('hush');
  });

  test('the summary shows no credentials', () => {
    const summary = configSummary(readConfig({ EGRESS_PROXY: 'http://me:hush@proxy.example:3128' }));
    expect(summary.EGRESS_PROXY).toBe('http://proxy.example:3128 (with credentials)');
    expect(configSummary(readConfig({})).EGRESS_PROXY).toBe('(none)');
  });
});
