import { ApiError } from '../../../../libs/client/index.ts';
import { errorPositionOf } from './error-position.ts';

const code = { files: { 'src/main.mjs': 'a', 'main.mjs': 'b', 'lib/one.mjs': 'c' }, entry: 'src/main.mjs' };
const at = (details: object, answer = 'no'): object | undefined =>
  errorPositionOf(
    new ApiError(answer, { status: 400, code: 'component_invalid', details }),
    code,
    '/home/me/src/main.mjs',
  );

test('an error is reported in the file that has it', () => {
  const [line, column] = [2, 8];
  expect(at({ line, column, message: 'lib/one.mjs: Unexpected ";"' })).toMatchObject({
    file: 'lib/one.mjs',
    line,
    column,
  });
  for (const file of ['lib/one.mjs', 'main.mjs'])
    expect(at({ line, column, message: 'no' }, `TypeError: no (${file}, line 2, column 8)`)).toMatchObject({ file });
});

test('the file is the component itself if no other is named; without a line there is no place', () => {
  expect(at({ line: 3, message: 'no' })).toEqual({ file: 'main.mjs', line: 3 });
  expect(at({ line: 3, column: 1, message: 'src/main.mjs: no' })).toMatchObject({ file: 'main.mjs' });
  expect(at({ message: 'no' })).toBeUndefined();
});
