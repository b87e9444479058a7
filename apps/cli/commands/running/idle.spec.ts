import { ApiError } from '../../../../libs/client/index.ts';
import { exitCodes } from '../../failures/failure.ts';
import { explainIdle } from './idle.ts';

const source = { id: 'dc_0000000000000001', name_slug: 'orders' };
const notFound = (details?: unknown): ApiError =>
  new ApiError('record not found', { status: 404, code: 'not_found', details });

test('a source that cannot run is named with its state and what makes it run', () => {
  expect(explainIdle(source, notFound({ state: 'inactive' }))).toMatchObject({
    message: 'The source orders is inactive.',
    hint: '`pd update orders --activate` makes it run again.',
    exitCode: exitCodes.failed,
  });
  expect(explainIdle({ ...source, name_slug: null }, notFound({ state: 'refused' }))).toMatchObject({
    message: 'The source dc_0000000000000001 is refused.',
    hint: 'See `pd describe dc_0000000000000001`.',
  });
});

test('any other answer stays as it is', () => {
  for (const error of [notFound(), new ApiError('x', { status: 409, code: 'busy' }), new Error('x')])
    expect(explainIdle(source, error)).toBe(error);
});
