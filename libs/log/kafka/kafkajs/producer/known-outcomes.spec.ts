import type { LastTransaction, TransactionOutcome } from '../last-transaction.ts';
import { KnownOutcomes } from './known-outcomes.ts';

const last = (outcome: TransactionOutcome, producerEpoch: number, producerId = '7'): LastTransaction => ({
  outcome,
  producerId,
  producerEpoch,
});

/** Knows that the last transaction of `a` ended so at epoch 4, and that this many take-overs were requested since. */
function knowing(outcome: TransactionOutcome, takeOvers: number): KnownOutcomes {
  const outcomes = new KnownOutcomes();
  outcomes.resolveOutcome('a', last(outcome, 4));
  for (let n = 0; n < takeOvers; n++) outcomes.countTakeOver('a');
  return outcomes;
}

test.each(['committed', 'aborted'] as const)('the outcome %s is known after interrupted take-overs', (outcome) => {
  expect(knowing(outcome, 1).resolveOutcome('a', last('none', 5))).toBe(outcome);
  expect(knowing(outcome, 3).resolveOutcome('a', last('none', 7))).toBe(outcome);
});

test('a take-over whose request was lost has raised no epoch', () => {
  expect(knowing('committed', 2).resolveOutcome('a', last('none', 5))).toBe('committed');
});

test('the outcome is unknown once another owner may have written', () => {
  expect(knowing('committed', 1).resolveOutcome('a', last('none', 6))).toBe('none');
  expect(knowing('committed', 1).resolveOutcome('a', last('none', 5, '8'))).toBe('none');
});

test('the latest answer of the coordinator counts, and only for its own id', () => {
  const outcomes = knowing('committed', 1);
  expect(outcomes.resolveOutcome('a', last('aborted', 5))).toBe('aborted');
  expect(outcomes.resolveOutcome('b', last('none', 5))).toBe('none');
  outcomes.countTakeOver('a');
  expect(outcomes.resolveOutcome('a', last('none', 6))).toBe('aborted');
});
