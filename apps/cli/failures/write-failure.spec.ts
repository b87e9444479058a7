import { explainWriteError } from './write-failure.ts';

const failed = (code: string): Error => Object.assign(new Error(`${code}: cannot write`), { code });

test('output that cannot be written is reported to people and to programs', () => {
  const { text, exitCode } = explainWriteError(failed('ENOSPC'), false);
  expect([exitCode, text]).toEqual([
    1,
    expect.stringMatching(/^error: The output could not be written: ENOSPC.*\n.*\n$/),
  ]);
  const json = explainWriteError(failed('ENOSPC'), true);
  expect(json.text.trimEnd().split('\n')).toHaveLength(1);
  expect(JSON.parse(json.text)).toMatchObject({ code: 'failed', error: expect.stringContaining('ENOSPC') });
});

test('a reader that stops early is not a failure', () => {
  expect(explainWriteError(failed('EPIPE'), false)).toEqual({ text: '', exitCode: 0 });
});
