import { Readable } from 'node:stream';
import { streamMessages } from './stream-messages.ts';

async function messagesIn(...chunks: readonly string[]): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for await (const message of streamMessages(Readable.from(chunks, { objectMode: false }))) found.push(message);
  return found;
}

const text = 'retry: 1000\n:sse-handshake\n\nid: 1-0\ndata: {"n":1}\n\n:\n\nid: 2-0\ndata: {"n":"a\\nb"}\n\n';
const both = [
  { id: '1-0', data: { n: 1 } },
  { id: '2-0', data: { n: 'a\nb' } },
];

test('records are returned with their ids, comments are skipped', async () => {
  expect(await messagesIn(text)).toEqual(both);
});

test('the same records are read wherever the text is cut into pieces', async () => {
  for (let at = 1; at < text.length; at++)
    expect([at, await messagesIn(text.slice(0, at), text.slice(at))]).toEqual([at, both]);
  expect(await messagesIn(...text)).toEqual(both);
});

test('a record that was cut off is left out', async () => {
  expect(await messagesIn(text.slice(0, -1))).toEqual(both.slice(0, 1));
});

test('a connection on which nothing arrives for too long is an error', async () => {
  const silent = new Readable({ read: () => undefined });
  silent.push(text);
  const found: unknown[] = [];
  const read = async (): Promise<void> => {
    for await (const message of streamMessages(silent, 20)) found.push(message);
  };
  await expect(read()).rejects.toThrow('nothing came for 0.02 s');
  expect(found).toEqual(both);
});
