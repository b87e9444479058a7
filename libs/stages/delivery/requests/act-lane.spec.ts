// The lane carries out each retry or discard once, in order, and no workspace waits for all requests of another one.
import { recordOf, samples } from '../../../domain/record/samples.fake.ts';
import { Semaphore } from '../../../primitives/sharing/semaphore.ts';
import { until } from '../../../../test/support/until.ts';
import { ActLane, type ActLaneOptions } from './act-lane.ts';

const act = recordOf('DeliveryRetryRequested', samples.requests.DeliveryRetryRequested);
const other = recordOf('WebhookTestRequested', samples.requests.WebhookTestRequested);

/** A log of requests, given by their workspaces; '' is a request that is neither a retry nor a discard. */
class World {
  readonly workspaces: string[];
  /** The offsets that were taken together. */
  readonly batches: number[][] = [];
  readonly moves: number[] = [];
  readonly failures: Error[] = [];
  read = 0;
  readonly #positions: Record<string, number>;

  constructor(workspaces: readonly string[], positions: Record<string, number> = {}) {
    this.workspaces = [...workspaces];
    this.#positions = positions;
  }

  lane(): ActLane {
    const log = { read: async (_topic: string, _partition: number, from: number, of: Bounds) => this.#page(from, of) };
    const mark = { positions: this.#positions };
    const context = { log, partition: 0, mark, fail: (error: Error) => this.failures.push(error) };
    const outbox = { advancePosition: (_key: string, next: number) => this.moves.push(next) };
    const take = async (acts: readonly { offset?: number }[]): Promise<void> => {
      this.batches.push(acts.map(({ offset = -1 }) => offset));
    };
    return new ActLane({ context, outbox, take, readSlots: new Semaphore(4) } as unknown as ActLaneOptions);
  }

  #page(from: number, { recordsMax, to }: Bounds) {
    const workspaces = this.workspaces.slice(from, Math.min(from + recordsMax, to));
    this.read += workspaces.length;
    const records = workspaces.map((workspace, i) => ({
      ...(workspace === '' ? other : act),
      workspace,
      offset: from + i,
    }));
    return { records, next: from + records.length };
  }

  /** Resolves once everything is done, with the offsets of retries and discards in the order of execution. */
  async whenDone(): Promise<readonly number[]> {
    await until('all to be done', () => this.moves.at(-1) === this.workspaces.length);
    expect(this.failures).toEqual([]);
    return this.batches.flat();
  }

  /** The offsets of one workspace. */
  offsets(workspace: string): number[] {
    return this.workspaces.flatMap((of, offset) => (of === workspace ? [offset] : []));
  }
}

interface Bounds {
  readonly recordsMax: number;
  readonly to: number;
}

const times = (count: number, workspace: string): string[] => Array.from({ length: count }, () => workspace);

test('acts of another workspace wait for one batch, however many one workspace has asked for before', async () => {
  const world = new World([...times(10_000, 'o_1'), 'o_2', '', 'o_3', ...times(100, 'o_2')]);
  world.lane().advanceTo(world.workspaces.length, true);
  const offsets = await world.whenDone();
  const [first = []] = world.batches;
  expect(first).toEqual(expect.arrayContaining([10_000, 10_002]));
  expect(world.batches.every(({ length }) => length <= 2_048)).toBe(true);
  for (const workspace of ['o_1', 'o_2', 'o_3'])
    expect(offsets.filter((offset) => world.workspaces[offset] === workspace)).toEqual(world.offsets(workspace));
  expect(world.moves).toEqual(world.moves.toSorted((a, b) => a - b));
  expect(world.read).toBeLessThan(10 * world.workspaces.length);
});

test('after a kill it goes on where the mark has left it, and reads no further than requests were taken', async () => {
  const world = new World(times(5_000, 'o_1'), { 'requests/0': 1_000, 'requests/0/taken': 3_000 });
  const lane = world.lane();
  lane.start();
  await until('what was left', () => world.moves.at(-1) === 3_000);
  expect(world.batches.flat()).toEqual(Array.from({ length: 2_000 }, (_, n) => 1_000 + n));
  lane.advanceTo(5_000, true);
  expect((await world.whenDone()).length).toBe(4_000);
});

test('nothing is read while there are no acts, and those that come meanwhile are taken next', async () => {
  const world = new World(['', '', 'o_1', '']);
  const lane = world.lane();
  lane.advanceTo(2, false);
  expect([world.read, world.moves]).toEqual([0, [2]]);
  lane.advanceTo(3, true);
  lane.advanceTo(4, false);
  expect(await world.whenDone()).toEqual([2]);
  world.workspaces.push('o_1');
  lane.advanceTo(5, true);
  expect(await world.whenDone()).toEqual([2, 4]);
  world.workspaces.push('');
  lane.advanceTo(6, false);
  expect(world.moves.at(-1)).toBe(6);
});
