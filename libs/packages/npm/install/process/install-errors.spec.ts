// The message of a failed install tells the deployer what to do, and tells the service's disk from the registry.
import { resultOf } from './install-errors.ts';

const failing = (code: string, syscall: string): Error =>
  Object.assign(new Error(`${code}: something, ${syscall} '/srv/wellspring/data/cache/a'`), { code, syscall });

test.each(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EMFILE'])('%s is said of the disk, without a place', (code) => {
  expect(resultOf(failing(code, 'open'), 'left@1')).toEqual({
    kind: 'failed',
    message: `left@1 could not be written to the disk of the service (${code}): its operator has to look at DATA_DIR`,
    again: true,
  });
});

test.each([
  ['ECONNREFUSED', 'connect'],
  ['EACCES', 'connect'],
])('%s of %s is said of the registry', (code, syscall) => {
  expect(resultOf(failing(code, syscall), 'left@1')).toMatchObject({
    kind: 'failed',
    message: expect.stringContaining('The registry cannot be reached for left@1') as string,
  });
});
