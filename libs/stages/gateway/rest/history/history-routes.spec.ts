// Over HTTP: a whole export, the proof of a record, and refusals.
import {
  faultOfExtension,
  faultOfRecord,
  readKeptCheckpoints,
  readKeys,
  verifyExport,
} from '../../../../verifier/index.ts';
import type { RecordProof } from '../../../../verifier/index.ts';
import { createAuditKey } from '../../../../domain/audit/key.ts';
import { keyRecord } from '../../../audit/signing/checkpoint-records.ts';
import { TestBed } from '../../test-bed.fake.ts';
import type { CheckpointRecord } from './proofs/proofs.dto.ts';
import { signDuringKeyChange, signHistory } from './signed/sign-history.fake.ts';

let bed: TestBed;
let keys: readonly string[];
beforeAll(async () => {
  bed = await TestBed.start();
  await bed.call('POST', '/v1/webhooks', { body: { url: 'https://example.com/hook' } });
  await signHistory(bed);
  await bed.call('POST', '/v1/webhooks', { body: { url: 'https://example.com/other' } });
  await signHistory(bed);
  keys = readKeys((await bed.call('GET', '/v1/history/keys')).text);
});
afterAll(() => bed?.stop());

const get = (path: string, query: Readonly<Record<string, string>> = {}) =>
  bed.call('GET', `/v1/history/${path}`, { query });
const checkpointsOf = async (topic: string): Promise<readonly CheckpointRecord[]> => {
  const { data } = (await get('checkpoints', { topic })).body;
  return data as readonly CheckpointRecord[];
};

async function* asStream(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

test('the verifier finds an export whole, using keys and checkpoints from the API', async () => {
  const answer = await get('export');
  expect(answer.headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
  const checkpoints = readKeptCheckpoints((await get('checkpoints')).text);
  const report = await verifyExport(asStream(answer.text), { keys, checkpoints });
  expect(report.findings).toEqual([]);
  expect(report.records).toBeGreaterThan(3);
  expect(report.kept).toEqual({ compared: checkpoints.length, beyond: 0 });
});

test('an export continues after a cursor', async () => {
  const { text } = await get('export', { from: '0', to: String(Date.now() - 1) });
  const line = text.split('\n').find((each) => each.startsWith('{"cursor":')) ?? '';
  const { cursor } = JSON.parse(line) as { cursor: string };
  const { text: rest } = await get('export', { cursor });
  expect(text.slice(0, text.indexOf(line) + line.length + 1) + rest).toBe(text);
});

test('a proof of a record can be checked with the public key', async () => {
  const record = bed.log.records('listeners').at(-1);
  if (record === undefined) throw new Error('a webhook was created');
  const { id, at } = record;
  const proof = await get('proof', { id, topic: 'listeners', time: String(at) });
  const [{ line, signatures } = { line: '', signatures: [] }] = readKeptCheckpoints(proof.text);
  const data = proof.body.data as Omit<RecordProof, 'checkpoint'>;
  expect(faultOfRecord({ ...data, checkpoint: { line, signatures } }, keys)).toBeUndefined();
  expect(JSON.parse(data.line)).toMatchObject({ id, source: '/wellspring/listeners' });
});

test('a consistency proof shows that a checkpoint extends an earlier one', async () => {
  const [from, to] = await checkpointsOf('commands');
  const proof = await get('consistency', { from: from?.id ?? '', to: to?.id ?? '' });
  const [earlier, later] = readKeptCheckpoints(proof.text);
  if (earlier === undefined || later === undefined) throw new Error('a proof names both');
  const { path } = proof.body.data as { path: readonly string[] };
  expect(faultOfExtension({ from: earlier, to: later, path }, keys)).toBeUndefined();
});

test('no answer contains a private key', async () => {
  const sealed = bed.log.records('trees').flatMap(({ data }) => (data as { sealed?: string }).sealed ?? []);
  expect(sealed).toHaveLength(1);
  for (const path of ['keys', 'checkpoints', 'export']) expect((await get(path)).text).not.toContain(sealed[0]);
});

test.each([
  ['export', { from: '5', to: '5' }, 400],
  ['export', { cursor: 'nonsense' }, 400],
  ['export', { org_id: 'o_0000000000000000' }, 404],
  ['proof', {}, 400],
  ['proof', { id: 'rec_0000000000000000' }, 404],
  ['proof', { id: 'rec_0000000000000000', topic: 'keys' }, 400],
  ['consistency', { from: 'x', to: 'y' }, 400],
  ['consistency', { from: 'channels-0-9-9', to: 'channels-0-10-10' }, 404],
  ['checkpoints', { after: 'x' }, 400],
])('refuses %s with %j with status %i', async (path, query, status) => {
  expect((await get(path, query)).status).toBe(status);
});

test('when a record is not found without its time, the answer asks for its time', async () => {
  const message = async (query: Readonly<Record<string, string>>): Promise<unknown> =>
    ((await get('proof', query)).body as unknown as { readonly error: string }).error;
  const id = 'rec_0000000000000000';
  expect(await message({ id })).toMatch('give its `time`');
  expect(await message({ id, time: '1' })).toBe('record not found');
});

test('refuses a consistency proof across partitions or in the wrong order', async () => {
  const [first, second] = await checkpointsOf('commands');
  const [other] = await checkpointsOf('workspaces');
  const [from = '', to = '', foreign = ''] = [first?.id, second?.id, other?.id];
  expect((await get('consistency', { from: to, to: from })).status).toBe(400);
  expect((await get('consistency', { from, to: foreign })).status).toBe(400);
});

test('answers 401 without an API key', async () => {
  for (const path of ['export', 'keys', 'checkpoints', 'proof', 'consistency'])
    expect((await bed.send('GET', `/v1/history/${path}`)).status).toBe(401);
});

test('answers 403 to a key that has only the read scope', async () => {
  const created = await bed.call('POST', '/v1/api_keys', { body: { name: 'reader', scopes: ['read'] } });
  const headers = { authorization: `Bearer ${(created.body.data as { readonly key: string }).key}` };
  for (const path of ['export', 'keys', 'checkpoints', 'proof?id=rec_0000000000000000', 'consistency'])
    expect((await bed.send('GET', `/v1/history/${path}`, { headers })).status).toBe(403);
});

test('the operator can change the audit key, and holders of the former key can still verify everything', async () => {
  const { status, body } = await signDuringKeyChange(bed, () => bed.call('POST', '/v1/history/keys'));
  expect(status).toBe(200);
  await bed.call('POST', '/v1/webhooks', { body: { url: 'https://example.com/third' } });
  await signHistory(bed);
  const now = readKeys((await get('keys')).text);
  expect(now).toEqual([...keys, (body.data as { public_key: string }).public_key]);
  const report = await verifyExport(asStream((await get('export')).text), { keys });
  expect(report.findings).toEqual([]);
});

test('hides a key that audit cannot sign with, and still allows a key change', async () => {
  const before = (await get('keys')).text;
  const foreign = createAuditKey(Buffer.alloc(32, 9), Buffer.alloc(32, 3), Buffer.alloc(12));
  const writer = await bed.log.own('audit', 0);
  await writer.append([keyRecord(foreign, 0)], writer.mark.positions);
  expect((await get('keys')).text).toBe(before);
  const { status } = await signDuringKeyChange(bed, () => bed.call('POST', '/v1/history/keys'));
  expect(status).toBe(200);
  expect(readKeys((await get('keys')).text)).toHaveLength(readKeys(before).length + 1);
});

test('only the operator can change the audit key', async () => {
  const created = await bed.call('POST', '/v1/api_keys', { body: { name: 'writer', scopes: ['read', 'write'] } });
  const headers = { authorization: `Bearer ${(created.body.data as { readonly key: string }).key}` };
  const before = bed.log.records('commands').length;
  const { status, body } = await bed.call('POST', '/v1/history/keys', { headers });
  expect([status, body.error]).toEqual([403, expect.stringContaining('operator')]);
  expect(
    bed.log
      .records('commands')
      .slice(before)
      .map(({ type }) => type),
  ).not.toContain('ChangeAuditKey');
});
