import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { ListAnswers, listTurns } from './list-answers.ts';

const message = (socket: object = new EventEmitter()): IncomingMessage => ({ socket }) as unknown as IncomingMessage;
const page = () => Promise.resolve({ data: ['x'.repeat(89)] });
const tooMany = expect.objectContaining({ status: 429, headers: { 'retry-after': '1' } });

test('pages that are not sent yet are bounded, for a workspace and for all, and others have room', async () => {
  const answers = new ListAnswers(1_200);
  const written = await answers.write(message(), 'a', page);
  expect(written.bytes).toHaveLength(102);
  for (let at = 1; at < 4; at++) await answers.write(message(), 'a', page);
  await expect(answers.write(message(), 'a', page)).rejects.toEqual(tooMany);
  await answers.write(message(), 'b', page);
  expect(answers.unsentBytes).toBe(5 * 102);
});

test('small pages of a workspace have room even if large ones have none', async () => {
  const answers = new ListAnswers(3 * 1024 * 1024);
  const large = () => Promise.resolve({ data: ['x'.repeat(1024 * 1024 - 100)] });
  await answers.write(message(), 'a', large);
  await expect(answers.write(message(), 'a', large)).rejects.toEqual(tooMany);
  expect((await answers.write(message(), 'a', page)).bytes).toHaveLength(102);
});

test('a page frees its room when it is sent, or when its connection ends', async () => {
  const answers = new ListAnswers(1_200);
  const [sent, socket] = [message(), new EventEmitter()];
  await answers.write(sent, 'a', page);
  await answers.write(message(socket), 'a', page);
  answers.release(sent);
  expect(answers.unsentBytes).toBe(102);
  socket.emit('close');
  expect(answers.unsentBytes).toBe(0);
});

test('a bounded number of pages is read at once, workspaces in turn, and a page that fails lets others begin', async () => {
  const answers = new ListAnswers();
  const begun: string[] = [];
  const ends: PromiseWithResolvers<void>[] = [];
  const write = (workspace: string) =>
    answers.write(message(), workspace, async () => {
      begun.push(workspace);
      const end = Promise.withResolvers<void>();
      ends.push(end);
      await end.promise;
      return page();
    });
  const { atOnce, perOwnerAtOnce } = listTurns;
  const of = (workspace: string, count: number): string[] => Array.from({ length: count }, () => workspace);
  const writes = [...of('a', perOwnerAtOnce + 3), ...of('b', atOnce - perOwnerAtOnce), 'c'].map(write);
  const settled = Promise.allSettled(writes);
  expect(begun).toEqual([...of('a', perOwnerAtOnce), ...of('b', atOnce - perOwnerAtOnce)]);
  ends[0]?.reject(new Error('views are away'));
  await expect(writes[0]).rejects.toThrow('views are away');
  ends[1]?.resolve();
  await writes[1];
  expect(begun.slice(atOnce).toSorted()).toEqual(['a', 'c']);
  for (let at = 2; at < writes.length; at++) {
    ends[at]?.resolve();
    await new Promise((resolve) => setTimeout(resolve));
  }
  await settled;
});

test('nothing is read for a client that is gone', async () => {
  const answers = new ListAnswers();
  let reads = 0;
  const gone = message(Object.assign(new EventEmitter(), { destroyed: true }));
  await answers.write(gone, 'a', () => {
    reads += 1;
    return page();
  });
  expect([reads, answers.unsentBytes]).toEqual([0, 0]);
});
