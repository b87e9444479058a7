import { ApiProblem } from '../../http/api-problem.ts';
import { readInput } from '../../http/input/input.ts';
import { SetDataStoreRecordDto } from './data-stores.dto.ts';

function messageFor(ttl: unknown): string | undefined {
  try {
    readInput(SetDataStoreRecordDto, {}, { key: 'k', value: 1, ttl });
    return undefined;
  } catch (error) {
    if (error instanceof ApiProblem) return error.message;
    throw error;
  }
}

test.each([0.5, 60, null, undefined])('the ttl %p of a record is accepted', (ttl) => {
  expect(messageFor(ttl)).toBeUndefined();
});

test.each([0, -1])('the ttl %p of a record is refused, since it must be greater than 0', (ttl) => {
  expect(messageFor(ttl)).toBe('ttl must be greater than 0.');
});
