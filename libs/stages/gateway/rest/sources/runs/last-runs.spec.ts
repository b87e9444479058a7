import type { RunOutcome } from '../../../../../domain/channel/messages.ts';
import { messageOf } from '../../../../../domain/decider.fake.ts';
import type { TriggerKind } from '../../../../../domain/source/messages.ts';
import { views } from '../../../../../domain/views/index.ts';
import { runsView } from '../../../../../domain/views/runs.view.ts';
import { MemoryViewStore } from '../../../../../view-store/view-store.fake.ts';
import { lastRunOf } from './last-runs.ts';

interface RunFields {
  readonly outcome: RunOutcome;
  readonly startedAt: number;
  readonly kind?: TriggerKind;
}

/** `runs`: in the order in which they ended. */
async function lastOf(runs: readonly RunFields[]) {
  const build = new MemoryViewStore(views.map(({ definition }) => definition)).live();
  const writes = runs.map(({ outcome, startedAt, kind = 'http' }, offset) => {
    const run = { runId: `run_${offset}`, sourceId: 'dc_1', kind, outcome, startedAt, durationMs: 1, console: [] };
    const error = outcome === 'succeeded' ? {} : { error: { name: 'Error', message: `of ${offset}` } };
    const finished = messageOf('RunFinished', { ...run, ...error, emitted: [], deduped: 0 });
    const value = runsView.evolve(undefined, { ...finished, offset } as never);
    return { view: 'runs', id: run.runId, version: offset, value };
  });
  await build.put(writes as never);
  return lastRunOf(build, 'dc_1');
}

test('the last run is the one that began last, even if one that began before it ended after it', async () => {
  const last = await lastOf([
    { outcome: 'failed', startedAt: 3_000 },
    { outcome: 'succeeded', startedAt: 2_000 },
    { outcome: 'succeeded', startedAt: 1_000 },
  ]);
  expect(last).toMatchObject({ last_run_at_ms: 3_000, last_error: { at_ms: 3_000 } });
});

test('a refused run never began, and is not the last run', async () => {
  const succeeded: RunFields = { outcome: 'succeeded', startedAt: 1_000 };
  const refused: RunFields = { outcome: 'refused', startedAt: 2_000, kind: 'event' };
  expect(await lastOf([succeeded, refused])).toMatchObject({ last_run_at_ms: 1_000, last_error: null });
  expect(await lastOf([refused])).toMatchObject({ last_run_at_ms: null });
});
