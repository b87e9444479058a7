import { DeniedError, explainFileError } from './denied-error.ts';

const failed = (code: string, path?: string): Error =>
  Object.assign(new Error(`${code}: ...`), { code, ...(path !== undefined && { path }) });

test.each([
  ['EACCES', 'the user who runs this may not open it'],
  ['EPERM', 'the user who runs this may not open it'],
  ['EROFS', 'its disk is read-only'],
  ['ENOSPC', 'its disk is full'],
  ['EDQUOT', 'its disk is full'],
  ['EISDIR', 'it is a directory, as a container makes one'],
  ['EFTYPE', 'it is a pipe, a socket or a device'],
  ['EMFILE', 'too many files and connections are open'],
  ['ENFILE', 'too many files and connections are open'],
  ['EEXIST', 'it is a file, and a directory belongs there'],
  ['ENOTDIR', 'it is a file, and a directory belongs there'],
])('a file that the system denies by %s is named with what to do', (code, why) => {
  const error = explainFileError(failed(code, '/data/log.sqlite'));
  expect(error).toBeInstanceOf(DeniedError);
  expect((error as Error).message).toMatch(`/data/log.sqlite cannot be used (${code}): ${why}`);
});

test('a disk without room is named where the system does not say for which file', () => {
  expect((explainFileError(failed('ENOSPC')) as Error).message).toMatch(
    'A file cannot be used (ENOSPC): its disk is full',
  );
});

test('any other error stays as it is', () => {
  for (const error of [failed('EIO', '/data/log.sqlite'), failed('EACCES'), 'EACCES'])
    expect(explainFileError(error)).toBe(error);
});
