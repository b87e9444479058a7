// Clients that ask for large pages and never read them hold a bounded part of the gateway's memory, and only theirs.
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { until } from '../../../../test/support/until.ts';
import { ListAnswers, unsentBytesMax } from '../http/lists/list-answers.ts';
import { pageBytesMax } from './lists/page-bytes.ts';
import { TestBed } from '../test-bed.fake.ts';
import { eventViewWrite } from './event-view-write.fake.ts';

const sourceId = 'dc_0000000000000001';
const path = `/v1/sources/${sourceId}/event_summaries`;

let bed: TestBed;
beforeAll(async () => {
  bed = await TestBed.start();
  const workspace = bed.log.records('workspaces')[0]?.workspace ?? '';
  const build = bed.views.live();
  for (let n = 1; n <= 10; n++) {
    const event = eventViewWrite(sourceId, `${n}-${n}`, n);
    await build.put([{ ...event, value: { ...event.value, workspace, event: 'x'.repeat(500 * 1024) } }]);
  }
  const partitions = [0, 1].map((partition) => [`channels/${partition}`, 1_000]);
  await build.saveCheckpoint(Object.fromEntries(partitions) as Record<string, number>);
  await bed.app.listen(0, '127.0.0.1');
});
afterAll(() => bed?.stop());

function requestLargeList(): Socket {
  const { port } = bed.app.getHttpServer().address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  const head = `GET ${path}?expand=event&limit=100 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${bed.apiKey}`;
  socket.write(`${head}\r\n\r\n`);
  return socket;
}

test('a hundred large pages that nobody reads leave room for small ones, and all room is free in the end', async () => {
  const answers = bed.app.get(ListAnswers);
  const sockets = Array.from({ length: 100 }, requestLargeList);
  const heads = sockets.map(async (socket) => {
    await new Promise((resolve) => socket.once('readable', resolve));
    // Only a little, which the connection has already read ahead.
    return String(socket.read(12));
  });
  const statusLines = await Promise.all(heads);
  expect(new Set(statusLines)).toEqual(new Set(['HTTP/1.1 200', 'HTTP/1.1 429']));
  expect(answers.unsentBytes).toBeGreaterThan(0);
  expect(answers.unsentBytes).toBeLessThanOrEqual(unsentBytesMax / 3 + pageBytesMax);
  expect((await bed.call('GET', path)).status).toBe(200);
  for (const socket of sockets) socket.destroy();
  await until('the room is free', () => answers.unsentBytes === 0);
  const { status, body } = await bed.call('GET', path, { query: { expand: 'event', limit: '100' } });
  expect([status, body.page_info?.['count']]).toEqual([200, 9]);
});
