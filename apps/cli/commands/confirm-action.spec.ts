import { Interrupted } from '../failures/failure.ts';
import type { Session } from '../session/session.ts';
import { confirmAction } from './confirm-action.ts';

const notes: string[] = [];
beforeEach(() => notes.splice(0));

/** A session at a terminal, where the question is answered so. */
const answering = (confirm: () => Promise<boolean>): Session =>
  ({
    canAsk: true,
    prompts: async () => ({ confirm }),
    out: { note: (text: string) => void notes.push(text) },
  }) as unknown as Session;

test('after an interrupted question, as after a no, it says that nothing was done', async () => {
  const brokenOff = answering(() => Promise.reject(new Interrupted()));
  await expect(confirmAction(brokenOff, {}, 'Delete it?')).rejects.toBeInstanceOf(Interrupted);
  expect(notes).toEqual(['Nothing was done.']);
  await expect(
    confirmAction(
      answering(async () => false),
      {},
      'Delete it?',
    ),
  ).rejects.toThrow('Nothing was done.');
});

test('after a yes, and with --yes, it continues', async () => {
  await confirmAction(
    answering(async () => true),
    {},
    'Delete it?',
  );
  const asked = (): Promise<boolean> => Promise.reject(new Error('was asked'));
  await confirmAction(answering(asked), { yes: true }, 'Delete it?');
  expect(notes).toEqual([]);
});
