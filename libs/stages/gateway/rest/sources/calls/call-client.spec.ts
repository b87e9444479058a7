import type { AddressInfo } from 'node:net';
import { until } from '../../../../../../test/support/until.ts';
import { waitingCallsMax } from '../../../../../domain/call/call.ts';
import { TestBed } from '../../../test-bed.fake.ts';

const hanging = Promise.withResolvers<void>();

let bed: TestBed;
beforeAll(async () => {
  bed = await TestBed.start();
  const described = { name: 'Slow', version: '0.0.1', type: 'source', props: [], hooks: [], methods: [] } as const;
  const manifest = { ...described, additionalProps: false, sampleEmit: true };
  bed.components.set('slow', { manifest, sample: () => hanging.promise });
  await bed.app.listen(0, '127.0.0.1');
});
afterAll(async () => {
  hanging.resolve();
  await bed?.stop();
});

test('a call counts as waiting until it ends, even after its client has left', async () => {
  const deployed = await bed.call('POST', '/v1/sources', { body: { component_code: 'slow' } });
  const path = `/v1/sources/${(deployed.body.data as { id: string }).id}/sample`;
  const server = bed.app.getHttpServer();
  const leaving = new AbortController();
  const { port } = server.address() as AddressInfo;
  const request = { method: 'POST', headers: { authorization: `Bearer ${bed.apiKey}` }, signal: leaving.signal };
  const abandonedCalls = Array.from({ length: waitingCallsMax }, () =>
    fetch(`http://127.0.0.1:${port}${path}`, request).catch(() => 'left'),
  );
  await until('the calls to wait', () => bed.parts.replies.waitingCount === waitingCallsMax);
  leaving.abort();
  expect(new Set(await Promise.all(abandonedCalls))).toEqual(new Set(['left']));
  const sockets = () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
  await until('the clients to be gone', async () => (await sockets()) === 0);
  expect((await bed.call('POST', path)).status).toBe(429);
  hanging.resolve();
  await until('the calls to end', () => bed.parts.replies.waitingCount === 0);
  await until('a place to be free', async () => (await bed.call('POST', path)).status === 200);
});
