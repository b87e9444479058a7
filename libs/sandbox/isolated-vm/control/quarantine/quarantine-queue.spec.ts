// Waiting invocations are served by rank, then callers take turns, oldest first.
import { fakeBundle } from '../../../../packages/packages.fake.ts';
import type { Invocation } from '../../../sandbox.ts';
import { QuarantineQueue } from './quarantine-queue.ts';

const noBundle = async () => fakeBundle('');

const invocation = (sourceId: string, workspace?: string): Invocation => ({
  sourceId,
  revision: 1,
  bundle: noBundle,
  what: 'run',
  event: null,
  props: {},
  ...(workspace === undefined ? {} : { workspace }),
  db: () => ({}),
  onRespond: () => {},
});

const queueOf = (...invocations: readonly Invocation[]): QuarantineQueue => {
  const queue = new QuarantineQueue();
  for (const each of invocations) queue.add({ invocation: each, resolve: () => {} });
  return queue;
};

function drain(queue: QuarantineQueue, rank: (each: Invocation) => number | undefined = () => 0): string[] {
  const served: string[] = [];
  for (let next = queue.takeNext(rank); next; next = queue.takeNext(rank)) served.push(next.invocation.sourceId);
  return served;
}

it('takes the oldest of each workspace in turn', () => {
  const queue = queueOf(...['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((id) => invocation(id, id.charAt(0))));
  expect(drain(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  expect(queue.size).toBe(0);
});

it('takes sources in turn when the workspace is unknown', () => {
  expect(drain(queueOf(...['a', 'a', 'b'].map((id) => invocation(id))))).toEqual(['a', 'b', 'a']);
});

it('takes the lowest rank first, and leaves what has none', () => {
  const queue = queueOf(...['culprit', 'never', 'innocent'].map((id) => invocation(id)));
  const ranks: Record<string, number> = { culprit: 1, innocent: 0 };
  expect(drain(queue, ({ sourceId }) => ranks[sourceId])).toEqual(['innocent', 'culprit']);
  expect(queue.size).toBe(1);
});

it('lets no one be overtaken again and again by a caller who keeps returning', () => {
  const queue = queueOf(invocation('b1', 'b'), invocation('b2', 'b'));
  const served: string[] = [];
  for (let round = 0; round < 4; round++) {
    queue.add({ invocation: invocation(`h${round}`, 'h'), resolve: () => {} });
    served.push(queue.takeNext(() => 0)?.invocation.sourceId ?? '');
  }
  expect(served).toEqual(['b1', 'h0', 'b2', 'h1']);
});

it('removes what waits of a source', () => {
  const queue = queueOf(...['a', 'b', 'a'].map((id) => invocation(id)));
  expect(queue.remove('a')).toHaveLength(2);
  expect(drain(queue)).toEqual(['b']);
});
