import { Interrupted } from '../failures/failure.ts';
import type { Session } from '../session/session.ts';
import { confirmed } from './confirmed.ts';

const told: string[] = [];
beforeEach(() => told.splice(0));

/** A session at a terminal, where the question is answered so. */
const answering = (confirm: () => Promise<boolean>): Session =>
  ({
    canAsk: true,
    prompts: async () => ({ confirm }),
    out: { note: (text: string) => void told.push(text) },
  }) as unknown as Session;

test('after an interrupted question, as after a no, it says that nothing was done', async () => {
  const brokenOff = answering(() => Promise.reject(new Interrupted()));
  await expect(confirmed(brokenOff, {}, 'Delete it?')).rejects.toBeInstanceOf(Interrupted);
  expect(told).toEqual(['Nothing was done.']);
  await expect(
    confirmed(
      answering(async () => false),
      {},
      'Delete it?',
    ),
  ).rejects.toThrow('Nothing was done.');
});

test('after a yes, and with --yes, it continues', async () => {
  await confirmed(
    answering(async () => true),
    {},
    'Delete it?',
  );
  const asked = (): Promise<boolean> => Promise.reject(new Error('was asked'));
  await confirmed(answering(asked), { yes: true }, 'Delete it?');
  expect(told).toEqual([]);
});
