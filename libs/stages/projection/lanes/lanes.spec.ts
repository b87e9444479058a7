// The two lanes run in parallel: the control plane does not wait for the flow, and health reports the slower lane.
import { viewDefinitions } from '../../../domain/views/index.ts';
import { MemoryLog } from '../../../log/log.fake.ts';
import { waitForCheckpoint, type ViewBuild, type ViewWrite } from '../../../view-store/index.ts';
import { MemoryViewStore } from '../../../view-store/view-store.fake.ts';
import { control, GeneratedHistory, type Step } from '../histories.fake.ts';
import { Projection } from '../projection.ts';

const waitMaxMs = 15_000;

/** Writes no event before the test allows it. */
class StuckEvents extends MemoryViewStore {
  readonly writeAllowed = Promise.withResolvers<void>();
  readonly putRequested = Promise.withResolvers<void>();

  override live(): ViewBuild {
    return new Proxy(super.live(), {
      get: (target, name) => {
        if (name === 'put') return (writes: readonly ViewWrite[]) => this.#put(target, writes);
        const method = Reflect.get(target, name, target) as unknown;
        return typeof method === 'function' ? (method.bind(target) as unknown) : method;
      },
    });
  }

  async #put(live: ViewBuild, writes: readonly ViewWrite[]): Promise<void> {
    if (writes.some(({ view }) => view === 'events')) {
      this.putRequested.resolve();
      await this.writeAllowed.promise;
    }
    await live.put(writes);
  }
}

const event: Step = {
  topic: 'channels',
  emitterId: 'dc_1',
  type: 'EventEmitted',
  data: { emitterId: 'dc_1', eventId: '1700000000000-1', channel: '', event: 1, emit: {}, runId: 'run_1' },
};
const workspace = { name: 'w', userId: 'u_1', username: 'u', email: 'u@example.com' };

test('what a command waits for is shown while the events beside it are not, and health tells that they stand still', async () => {
  const log = new MemoryLog({ partitions: 1 });
  const views = new StuckEvents(viewDefinitions);
  const history = new GeneratedHistory(log);
  let now = 0;
  const projection = new Projection({ log, views, elapsedMs: () => now });
  const fatal: unknown[] = [];
  await projection.start((error) => fatal.push(error));
  const isShown = (topic: 'channels' | 'workspaces', offset: number, withinMs: number): Promise<boolean> =>
    waitForCheckpoint(views.live(), { topic, partition: 0, offset }, withinMs);
  try {
    await history.append([event]);
    await views.putRequested.promise;
    now += 30_000;
    await history.append([control('workspaces', 'WorkspaceCreated', workspace)]);
    expect(await isShown('workspaces', 0, waitMaxMs)).toBe(true);
    expect(await isShown('channels', 0, 0)).toBe(false);
    expect(projection.healthy).toBe(false);
    views.writeAllowed.resolve();
    expect(await isShown('channels', 0, waitMaxMs)).toBe(true);
  } finally {
    views.writeAllowed.resolve();
    await projection.stop();
  }
  expect(fatal).toEqual([]);
});
