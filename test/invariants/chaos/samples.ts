// Checks what must always hold for a subscription's counters; returns problems, so that a run can continue.
import type { SubscriptionDetail } from '../../../libs/client/index.ts';

type Counters = SubscriptionDetail['counters'];

/** What the test knows of what one source has emitted. */
export interface SentCount {
  /** Orders sent before the answer arrived: no more can have been emitted. */
  readonly sent: number;
}

const partsOf = ({ delivered, parked, filtered, expired, pending }: Counters): readonly number[] => [
  delivered,
  parked,
  filtered,
  expired,
  pending,
];
const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

/** The problems of one answer; `before` is the previous answer. */
export function problemsOf(
  detail: SubscriptionDetail,
  before: SubscriptionDetail | undefined,
  sentBy: (emitterId: string) => SentCount,
): readonly string[] {
  const describe = (what: string): string => `${what}: ${JSON.stringify({ detail, before })}`;
  const problems: string[] = [];
  for (const { counters } of [detail, ...detail.positions]) {
    if (counters.published !== sumOf(partsOf(counters)))
      problems.push(describe('published is not the sum of the others'));
    if (partsOf(counters).some((count) => !(count >= 0))) problems.push(describe('a counter is below 0'));
  }
  if (detail.counters.published !== sumOf(detail.positions.map(({ counters }) => counters.published)))
    problems.push(describe('published is not the sum of the positions'));
  for (const { emitter_id, counters, sequence } of detail.positions) {
    const { sent } = sentBy(emitter_id);
    if (counters.published > sent) problems.push(describe(`more is published than the ${sent} that were asked for`));
    if (sequence !== counters.published) problems.push(describe('published is not the sequence'));
    const earlier = before?.positions.find((position) => position.emitter_id === emitter_id)?.counters;
    if (earlier === undefined) continue;
    if (counters.published < earlier.published) problems.push(describe('published has become less'));
    if (counters.delivered < earlier.delivered) problems.push(describe('delivered has become less'));
    if (counters.filtered < earlier.filtered) problems.push(describe('filtered has become less'));
  }
  return problems;
}
