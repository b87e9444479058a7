// The report of a failed run on the channel `$errors`.
import type { HttpRequestData } from '../component/http/request-data.ts';
import { jsonDepthMax } from '../json.ts';
import type { Json } from '../json.ts';
import { sizes } from '../sizes.ts';
import { errorsReport, originalOf, failureContextOf } from './errors-report.ts';
import type { OriginalEvent } from './errors-report.ts';

const error = { name: 'TypeError', message: 'no', stack: 'TypeError: no\n    at run' };
const errorsEventOf = (original: OriginalEvent, bytesMax?: number): Json =>
  errorsReport(original, { runId: 'run_1', error }, bytesMax).emit.event;
const http: HttpRequestData = {
  method: 'POST',
  path: '/',
  url: 'http://h/',
  query: {},
  headers: { 'content-type': 'application/json' },
  sealedHeaders: { $sealed: 'AAAA' },
  bodyBase64: '',
  clientIp: '::1',
};
const request = (bodyRaw: string, secrets: readonly string[] = []): OriginalEvent => {
  const headers = { ...http.headers, authorization: 'abc' };
  return originalOf(failureContextOf('run_1', { http }, 0), { method: 'POST', headers, bodyRaw, body: null }, secrets);
};
const originalEvent = (event: Json, bytes: number, secrets: readonly string[]): OriginalEvent =>
  originalOf(failureContextOf('run_1', { http: undefined }, bytes), event, secrets);

test('a failed run is reported on $errors with its event, error and run id', () => {
  const { emit, bytes } = errorsReport(originalEvent({ a: 1 }, 10, []), { runId: 'run_1', error });
  expect(emit).toEqual({ channel: '$errors', event: { original_event: { a: 1 }, error, run_id: 'run_1' } });
  expect(bytes).toBe(Buffer.byteLength(JSON.stringify(emit.event)));
});

test('secrets are masked in every text, and a sealed header however short it is', () => {
  const original = request('{"deep":[{"token":"my hunter2222"}]}', ['hunter2222']);
  expect(errorsEventOf(original)).toMatchObject({
    original_event: {
      headers: { 'content-type': 'application/json', authorization: '[secret]' },
      body: { deep: [{ token: 'my [secret]' }] },
      bodyRaw: '{"deep":[{"token":"my [secret]"}]}',
    },
  });
});

test('a body above 64 KiB is left out, and the report says so', () => {
  const report = errorsEventOf(request('x'.repeat(64 * 1024 + 1))) as { readonly original_event: object };
  expect(report).toMatchObject({ original_event: { method: 'POST' }, omitted: ['body', 'bodyRaw'] });
  expect(Object.keys(report.original_event)).not.toContain('bodyRaw');
  expect(errorsEventOf(request('x'.repeat(64 * 1024)))).not.toHaveProperty('omitted');
});

test('of an encoded body what was sent is left out, since no secret can be masked in it', () => {
  const told = failureContextOf('run_1', { http }, 0);
  const event = { headers: http.headers, bodyRaw: '{"a":"hunter2222"}', body: null, sentBase64: 'H4sI' };
  const report = errorsEventOf(originalOf(told, event, ['hunter2222'])) as { readonly original_event: object };
  const masked = { headers: http.headers, bodyRaw: '{"a":"[secret]"}', body: { a: '[secret]' } };
  expect(report).toMatchObject({ original_event: masked, omitted: ['bodyBase64'] });
  expect(Object.keys(report.original_event)).not.toContain('bodyBase64');
  const large = { ...event, bodyRaw: 'x'.repeat(64 * 1024 + 1) };
  expect(originalOf(told, large, [])).toMatchObject({ omitted: ['body', 'bodyRaw', 'bodyBase64'] });
});

test('a body that the request asked not to store is not reported', () => {
  const event = { method: 'POST', headers: {}, bodyRaw: '', bodyBase64: 'e30=', body: null };
  const telling = failureContextOf('run_1', { http: { ...http, sealedBody: { $sealed: 'AAAA' } } }, 0);
  const original = originalOf(telling, event, []);
  const omitted = ['body', 'bodyRaw', 'bodyBase64'];
  expect(original).toEqual({ event: { method: 'POST', headers: {} }, omitted, secrets: [] });
});

test('a body that is not UTF-8 is measured as it was sent, and left out with its base64', () => {
  const bytes = (size: number): OriginalEvent => {
    const bodyBase64 = Buffer.alloc(size, 0xff).toString('base64');
    const event = { method: 'POST', headers: {}, bodyRaw: '', bodyBase64, body: null };
    return originalOf(failureContextOf('run_1', { http }, 0), event, []);
  };
  expect(bytes(64 * 1024)).toMatchObject({ event: { bodyBase64: expect.anything() }, omitted: [] });
  expect(errorsEventOf(bytes(64 * 1024))).toMatchObject({ original_event: { bodyRaw: '\uFFFD'.repeat(64 * 1024) } });
  expect(bytes(64 * 1024 + 1)).toMatchObject({ omitted: ['body', 'bodyRaw', 'bodyBase64'] });
});

describe('of an event of an app', () => {
  const appEvent = (bodyRaw: string, changes: Partial<HttpRequestData> = {}): OriginalEvent => {
    const event = { method: 'POST', headers: { authorization: 'abc' }, bodyRaw, body: null };
    return originalOf(failureContextOf('run_1', { http: { ...http, ...changes }, onlyBody: true }, 0), event, [
      'hunter2222',
    ]);
  };
  const leftOut = { original_event: null, error, run_id: 'run_1', omitted: ['original_event'] };

  test('the body alone is reported, as run gets it, or its text if it is not JSON', () => {
    expect(errorsEventOf(appEvent('{"type":"hunter2222"}'))).toMatchObject({ original_event: { type: '[secret]' } });
    expect(errorsEventOf(appEvent('17'))).toMatchObject({ original_event: 17 });
    expect(errorsEventOf(appEvent(''))).toMatchObject({ original_event: {} });
    expect(errorsEventOf(appEvent('type=hunter2222'))).toMatchObject({ original_event: 'type=[secret]' });
  });

  test('a body that is large, not to be stored or nested too deep is left out', () => {
    expect(errorsEventOf(appEvent(`"${'x'.repeat(64 * 1024)}"`))).toEqual(leftOut);
    expect(errorsEventOf(appEvent('{}', { sealedBody: { $sealed: 'AAAA' } }))).toEqual(leftOut);
    expect(errorsEventOf(appEvent('['.repeat(60_000)))).toEqual(leftOut);
  });
});

test('the body of an event that is not a request is left out too, and so is a large event without a body', () => {
  const large = 'x'.repeat(70_000);
  const bodied = { path: '/', body: { large }, bodyRaw: large };
  expect(originalEvent(bodied, 150_000, [])).toMatchObject({ event: { path: '/' }, omitted: ['body', 'bodyRaw'] });
  for (const event of [{ large }, { body: 1, large }, [large], large])
    expect(originalEvent(event, 150_000, [])).toMatchObject({ event: null, omitted: ['original_event'] });
});

test('a failed run is reported without its event if the event is too large or nested too deep', () => {
  const small = originalEvent({ a: 'x'.repeat(1_000) }, 1_010, []);
  expect(errorsEventOf(small, 500)).toEqual({
    original_event: null,
    error,
    run_id: 'run_1',
    omitted: ['original_event'],
  });
  let deep: Json = 1;
  for (let level = 0; level < jsonDepthMax; level++) deep = [deep];
  expect(errorsEventOf(originalEvent(deep, 600, []))).toMatchObject({
    original_event: null,
    omitted: ['original_event'],
  });
});

test('the report never exceeds the size of an emit, also after masking', () => {
  const original = originalEvent({ a: 'secret'.repeat(10_000) }, 60_100, ['secret']);
  expect(errorsReport(original, { runId: 'run_1', error }).bytes).toBeLessThan(sizes.emitBytes);
});
