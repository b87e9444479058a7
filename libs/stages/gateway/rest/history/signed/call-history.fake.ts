// Calls every route of signed history once for an answer and once for a refusal.
import type { Answer, TestRequest, TestBed } from '../../../test-bed.fake.ts';
import { signDuringKeyChange, signHistory } from './sign-history.fake.ts';

type Ask = (operationId: string, status: number, asked?: TestRequest) => Promise<Answer>;

export async function callSignedHistory(bed: TestBed, ask: Ask): Promise<void> {
  for (const name of ['first', 'second']) {
    await ask('createWebhook', 200, { body: { url: 'https://example.com/hook', name } });
    await signHistory(bed);
  }
  await ask('listAuditKeys', 200);
  await signDuringKeyChange(bed, () => ask('changeAuditKey', 200));
  const { data } = (await ask('listCheckpoints', 200, { query: { topic: 'commands' } })).body;
  const [from = '', to = ''] = (data as readonly { readonly id: string }[]).map(({ id }) => id);
  await ask('proveConsistency', 200, { query: { from, to } });
  await ask('proveConsistency', 404, { query: { from, to: 'commands-0-1-1' } });
  const { id = '', at = 0 } = bed.log.records('listeners').at(-1) ?? {};
  await ask('proveRecord', 200, { query: { id, topic: 'listeners', time: String(at) } });
  await ask('proveRecord', 404, { query: { id: 'rec_0000000000000000' } });
  await ask('exportHistory', 200);
  await ask('exportHistory', 400, { query: { cursor: 'nonsense' } });
}

export function expectLines({ headers, text }: Answer): void {
  expect(headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
  const lines = text.split('\n').filter((line) => line !== '');
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines) expect(JSON.parse(line)).toEqual(expect.any(Object));
}
