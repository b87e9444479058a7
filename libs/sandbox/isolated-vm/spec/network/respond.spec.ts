// http.respond accepts status, headers and body in all the forms that components use.
import { IsolatedVmSandbox } from '../../isolated-vm-sandbox.ts';
import type { HttpResponse } from '../../../sandbox.ts';
import { defaultLimits } from '../../sandbox-limits.ts';
import { cacheDir, invoke, source } from '../harness.ts';

let sandbox: IsolatedVmSandbox;
beforeAll(async () => {
  const limits = { guest: { ...defaultLimits.guest, responseBodyBytes: 10_000 } };
  sandbox = await IsolatedVmSandbox.start({ runners: 1, cacheDir, limits });
});
afterAll(() => sandbox.close());

describe('http.respond', () => {
  async function response(argument: string): Promise<HttpResponse | undefined> {
    const seen: HttpResponse[] = [];
    const code = source(`const { http: { respond } } = this; await respond(${argument})`);
    const { error } = await invoke(sandbox, code, {
      sourceId: `dc_${argument}`,
      onRespond: (response) => seen.push(response),
    });
    if (error) throw new Error(error.message);
    return seen[0];
  }
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const json = { 'content-type': 'application/json' };
  const bytes = { 'content-type': 'application/octet-stream' };

  it.each([
    [`{ status: 200, body: 'tëxt' }`, { status: 200, headers: {}, bodyBase64: base64('tëxt') }],
    [`{ status: '404' }`, { status: 404, headers: {}, bodyBase64: '' }],
    [`{}`, { status: 200, headers: {}, bodyBase64: '' }],
    [`{ body: /a+/ }`, { status: 200, headers: json, bodyBase64: base64('{}') }],
    [
      `{ status: 201, body: { a: 1 } }`,
      { status: 201, headers: { 'content-type': 'application/json' }, bodyBase64: base64('{"a":1}') },
    ],
    [
      `{ status: 200, headers: { 'Content-Type': 'x/y', n: 5, list: ['a', 'b'], none: undefined }, body: {} }`,
      { status: 200, headers: { 'Content-Type': 'x/y', n: '5', list: ['a', 'b'] }, bodyBase64: base64('{}') },
    ],
    [`{ status: 200, body: Buffer.from([0, 255, 1]) }`, { status: 200, headers: bytes, bodyBase64: 'AP8B' }],
    [
      `{ status: 200, headers: { 'content-type': 'image/png' }, body: Buffer.from([0]) }`,
      { status: 200, headers: { 'content-type': 'image/png' }, bodyBase64: 'AA==' },
    ],
    [
      `{ status: 200, body: Buffer.alloc(10000) }`,
      { status: 200, headers: bytes, bodyBase64: Buffer.alloc(10000).toString('base64') },
    ],
    [
      `{ body: [new (class Empty {})(), Object.create(null), new Date(0)] }`,
      { status: 200, headers: json, bodyBase64: base64('[{},{},"1970-01-01T00:00:00.000Z"]') },
    ],
    [`{ body: new (class Empty {})() }`, { status: 200, headers: json, bodyBase64: base64('{}') }],
    [`{ status: 200, body: 12 }`, { status: 200, headers: {}, bodyBase64: base64('12') }],
  ])('normalizes %s', async (argument, expected) => {
    expect(await response(argument)).toEqual(expected);
  });

  it.each([
    [`{ 'a b': 'c', 'x:': 'c', '': 'c', 'ä': 'c', fine: 'c' }`, { fine: 'c' }],
    [`{ a: 'b\\r\\nc: d', e: 'f\\n', 'g\\r\\nh': 'i', j: '\\0', k: '\\u20ac', fine: '\\xe4\\t' }`, { fine: '\xe4\t' }],
    [`{ list: ['a', 'b\\r\\nc: d', 'e'], none: ['\\n'], empty: [] }`, { list: ['a', 'e'] }],
  ])('leaves malformed headers out of %s', async (headers, kept) => {
    expect(await response(`{ headers: ${headers}, body: 'b' }`)).toEqual({
      status: 200,
      headers: kept,
      bodyBase64: base64('b'),
    });
  });

  it.each([
    [`new Headers({ 'Content-Type': 'x/y', N: '5' })`, { 'content-type': 'x/y', n: '5' }],
    [
      `new Response('', { headers: [['Set-Cookie', 'a=1'], ['set-cookie', 'b=2']] }).headers`,
      { 'set-cookie': ['a=1', 'b=2'] },
    ],
    [`new Map([['x-n', 5], ['x-list', ['a', 'b']]])`, { 'x-n': '5', 'x-list': ['a', 'b'] }],
    [
      `[['x-n', 'a'], ['x-n', 'b\\nc'], ['x-n', 'd'], ['__proto__', 'e'], null, 'f']`,
      { 'x-n': ['a', 'd'], ['__proto__']: 'e' },
    ],
  ])('takes the headers of %s', async (headers, sent) => {
    expect(await response(`{ headers: ${headers} }`)).toMatchObject({ headers: sent });
  });

  it('takes thousands of pairs of one name, and refuses too many, in a time that grows with their number', async () => {
    const many = await response(`{ headers: Array.from({ length: 10_000 }, () => ['x-n', 'a']) }`);
    expect(many?.headers['x-n']).toHaveLength(10_000);
    const tooMany = response(`{ headers: Array.from({ length: 200_000 }, () => ['x-n', 'a']) }`);
    await expect(tooMany).rejects.toThrow('http.respond: the headers have 800007 characters, 61440 are allowed');
    expect(
      await response(`{ headers: (() => { const list = ['a']; const pairs = [['x-n', list], ['x-n', 'b']];
      return list.length === 1 ? [...pairs, ['x-n', 'c'], ['x-own', list]] : []; })() }`),
    ).toMatchObject({
      headers: { 'x-n': ['a', 'b', 'c'], 'x-own': ['a'] },
    });
  });

  it('gives a body its own content type when that of the component is malformed', async () => {
    const typed = { 'content-type': 'application/json' };
    expect(await response(`{ headers: { 'Content-Type': 'a\\nb' }, body: {} }`)).toMatchObject({ headers: typed });
  });

  it.each([
    [`new Blob(['a,b'], { type: 'text/csv' })`, 'text/csv', 'a,b'],
    [`new Blob([Buffer.from([104, 105])])`, 'application/octet-stream', 'hi'],
    [`new URLSearchParams({ a: '1 2' })`, 'application/x-www-form-urlencoded;charset=UTF-8', 'a=1+2'],
    [`new Blob(['web']).stream()`, 'application/octet-stream', 'web'],
    [`new Response('answer').body`, 'application/octet-stream', 'answer'],
    [`require('stream').Readable.from(['no', Buffer.from('de')])`, 'application/octet-stream', 'node'],
    [`require('stream').Readable.from([])`, 'application/octet-stream', ''],
    [
      `require('stream').Readable.from(['zip']).pipe(require('zlib').createGzip()).pipe(require('zlib').createGunzip())`,
      'application/octet-stream',
      'zip',
    ],
    [
      `(async function* () { yield 'é'; await null; yield new Uint8Array([104]); })()`,
      'application/octet-stream',
      'éh',
    ],
  ])('sends the bytes of %s', async (body, type, text) => {
    const sent = { status: 201, headers: { 'content-type': type }, bodyBase64: base64(text) };
    expect(await response(`{ status: 201, body: ${body} }`)).toEqual(sent);
    const named = { headers: { 'content-type': 'text/plain' }, bodyBase64: base64(text) };
    expect(await response(`{ body: ${body}, headers: { 'content-type': 'text/plain' } }`)).toMatchObject(named);
  });

  it('sends a form with its boundary', async () => {
    const sent = await response(
      `{ body: (() => { const form = new FormData(); form.set('a', '1'); return form; })() }`,
    );
    const [, boundary = 'none'] =
      /^multipart\/form-data; boundary=(.+)$/.exec(String(sent?.headers['content-type'])) ?? [];
    expect(Buffer.from(sent?.bodyBase64 ?? '', 'base64').toString()).toContain(`--${boundary}\r\n`);
  });

  it('reads a stream of the old kind', async () => {
    const stream = `(() => { const old = new (require('events'))(); old.pipe = () => {}; old.pause = old.resume = () => {};
      setTimeout(() => { old.emit('data', Buffer.from('ol')); old.emit('data', 'd'); old.emit('end'); }, 1); return old; })()`;
    expect(await response(`{ body: ${stream} }`)).toMatchObject({ bodyBase64: base64('old') });
  });

  it('waits for a stream that nobody awaits, after all that the run emits', async () => {
    const seen: HttpResponse[] = [];
    const code = source(`const { Readable } = require('stream');
      const slow = async function* () { yield 'a'; await new Promise((done) => setTimeout(done, 20)); yield 'b'; };
      this.http.respond({ body: Readable.from(slow()) }); this.http.respond({ status: 500 }); this.$emit(1);`);
    const { end, emits } = await invoke(sandbox, code, { onRespond: (response) => seen.push(response) });
    expect([end, emits.length]).toEqual(['finished', 1]);
    expect(seen).toMatchObject([{ status: 200, bodyBase64: base64('ab') }]);
  });

  it('fails the run with the error of a stream, unless the component answers otherwise', async () => {
    const failing = `(async function* () { yield 'a'; throw new Error('torn'); })()`;
    const torn = source(`this.http.respond({ body: ${failing} })`);
    expect(await invoke(sandbox, torn)).toMatchObject({ end: 'threw', error: { message: 'torn' }, console: [] });
    const answer = `try { await this.http.respond({ body: ${failing} }); } catch (e) { this.http.respond({ status: 502, body: e.message }); }`;
    const seen: HttpResponse[] = [];
    const outcome = await invoke(sandbox, source(answer), { onRespond: (response) => seen.push(response) });
    expect(outcome).toMatchObject({ end: 'finished', console: [] });
    expect(seen).toMatchObject([{ status: 502, bodyBase64: base64('torn') }]);
  });

  it('stops reading a stream that is too large, and names the error that is its body', async () => {
    const code = source(`let read = 0;
      const endless = async function* () { try { for (;;) { read++; yield 'x'.repeat(1000); } } finally { console.log(read); } };
      await this.http.respond({ body: endless() })`);
    const { error, console } = await invoke(sandbox, code);
    expect(error?.message).toMatch(/more than the 10000 bytes/);
    expect(console.map(({ text }) => text)).toEqual(['11']);
    const failed = await invoke(sandbox, source(`this.http.respond({ status: 500, body: new RangeError('lost') })`));
    expect(failed.error?.stack).toContain('[cause]: RangeError: lost');
  });

  it('works without customResponse, detached, awaited and after emits, and ignores further calls', async () => {
    const seen: HttpResponse[] = [];
    const code =
      source(`const { http: { respond } } = this; this.$emit('first'); await null; await respond({ status: '202', body: 'a' });
      respond({ status: 500 }); await this.http.respond(); this.$emit('last');`).replace(', customResponse: true', '');
    const { end, emits } = await invoke(sandbox, code, { onRespond: (response) => seen.push(response) });
    expect([end, emits.map(({ event }) => event)]).toEqual(['finished', ['first', 'last']]);
    expect(seen).toEqual([{ status: 202, headers: {}, bodyBase64: base64('a') }]);
  });

  it.each([
    [`{ status: null, headers: null, body: null }`, 200],
    [`{ statusCode: 404 }`, 200],
    [`null`, 200],
  ])('answers %s with %d', async (argument, status) => {
    expect(await response(argument)).toEqual({ status, headers: {}, bodyBase64: '' });
  });

  it.each([
    [`{ status: 99 }`, /status must be an integer from 100 to 599, not 99/],
    [`{ status: 'ok' }`, /not ok/],
    [`{ status: 200, body: 'x'.repeat(10001) }`, /body has 10001 bytes, 10000 are allowed/],
    [`{ status: 200, body: 'ä'.repeat(5001) }`, /body has 10002 bytes, 10000 are allowed/],
    [`{ status: 200, body: Buffer.alloc(10001) }`, /body has 10001 bytes, 10000 are allowed/],
    [`{ status: 200, headers: { a: 'b'.repeat(61440) } }`, /headers have 614\d\d characters, 61440 are allowed/],
    [`{ body: new Map([['a', 1]]) }`, /the body is Map, which JSON does not carry: answer with text, bytes/],
    [`{ body: new Set() }`, /the body is Set/],
    [`{ body: Promise.resolve('a') }`, /the body is Promise/],
    [`{ body: new Response('a') }`, /the body is Response/],
    [`{ body: () => 1 }`, /the body is a function/],
    [`{ body: new Error('lost') }`, /the body is Error/],
    [`{ body: require('stream').Readable.from([{ a: 1 }]) }`, /must give bytes or text/],
  ])('refuses %s', async (argument, message) => {
    await expect(response(argument)).rejects.toThrow(message);
  });
});
