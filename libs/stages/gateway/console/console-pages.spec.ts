import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestBed } from '../test-bed.fake.ts';
import type { TestRequest } from '../test-bed.fake.ts';

let bed: TestBed;
let consoleDir: string;
beforeAll(async () => {
  consoleDir = await mkdtemp(join(tmpdir(), 'console-'));
  await mkdir(join(consoleDir, 'assets'));
  const files = {
    'index.html': '<!doctype html><p>page</p>',
    'favicon.svg': '<svg/>',
    'assets/index-abc.js': 'plain()',
    'assets/index-abc.js.br': 'as brotli',
    'assets/index-abc.js.gz': 'as gzip',
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(consoleDir, name), text);
  bed = await TestBed.start({ consoleDir });
});
afterAll(async () => {
  await bed?.stop();
  await rm(consoleDir, { recursive: true });
});

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const get = (path: string, asked: TestRequest = {}) => bed.send('GET', path, asked);

test.each(['/', '/sources', '/sources/new?url=x', '/sources/dc_1/events', '/webhooks/wh_1', '/api-keys', '/eventual'])(
  'a browser at %s gets the page, revalidated each time, with a strict security policy',
  async (path) => {
    const { status, text, headers } = await get(path, { headers: browser });
    expect([status, text]).toEqual([200, '<!doctype html><p>page</p>']);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
        "font-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    });
  },
);

test('a file named after its content is cached forever and compressed as the browser accepts', async () => {
  const path = '/assets/index-abc.js';
  const fetchEncoded = async (accepted: string) => {
    const { headers, text } = await get(path, { headers: { 'accept-encoding': accepted } });
    return [headers['content-encoding'], text];
  };
  expect(await fetchEncoded('gzip, deflate, br')).toEqual(['br', 'as brotli']);
  expect(await fetchEncoded('gzip')).toEqual(['gzip', 'as gzip']);
  expect(await fetchEncoded('br;q=0, gzip;q=0.5')).toEqual(['gzip', 'as gzip']);
  expect(await fetchEncoded('')).toEqual([undefined, 'plain()']);
  expect((await get(path)).headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
  });
});

test('an unchanged page is not sent again', async () => {
  const { headers } = await get('/');
  const again = await get('/', { headers: { 'if-none-match': String(headers['etag']) } });
  expect([again.status, again.text]).toEqual([304, '']);
  expect((await bed.send('HEAD', '/')).text).toBe('');
});

test.each([
  ['/v1/nope', browser],
  ['/session/nope', browser],
  ['/e', browser],
  ['/openapi.json/nope', browser],
  ['/assets/gone.js', {}],
  ['/nope', {}],
  ['/..%2f..%2fetc/passwd', {}],
  ['/index.html.gz', {}],
])('%s is not a page: it is answered by the API', async (path, headers) => {
  const { status, body } = await get(path, { headers });
  expect([status, body.code]).toEqual([404, 'not_found']);
});

test('a POST is never answered with a page of the console', async () => {
  const { status } = await bed.send('POST', '/sources', { headers: browser });
  expect(status).toBe(404);
});

test('a service without a built console says so', async () => {
  const own = await TestBed.start();
  const { status, headers, text } = await own.send('GET', '/', { headers: browser });
  expect([status, headers['content-type'], text]).toEqual([
    200,
    'text/plain; charset=utf-8',
    expect.stringContaining('The console is not built here'),
  ]);
  expect((await own.send('GET', '/sources', { headers: browser })).status).toBe(404);
  await own.stop();
});
