import { DeniedError, deniedOr } from './denied.ts';

const failed = (code: string, path?: string): Error =>
  Object.assign(new Error(`${code}: ...`), { code, ...(path !== undefined && { path }) });

test.each([
  ['EACCES', 'the user who runs this may not open it'],
  ['EPERM', 'the user who runs this may not open it'],
  ['EROFS', 'its disk is read-only'],
])('a file that the system denies by %s is named with what to do', (code, why) => {
  const error = deniedOr(failed(code, '/data/log.sqlite'));
  expect(error).toBeInstanceOf(DeniedError);
  expect((error as Error).message).toMatch(`/data/log.sqlite cannot be used (${code}): ${why}`);
});

test('any other error stays as it is', () => {
  for (const error of [failed('EIO', '/data/log.sqlite'), failed('EACCES'), 'EACCES'])
    expect(deniedOr(error)).toBe(error);
});
