// Reads when sources last ran, emitted and failed, from their runs and events: so a run costs no extra write.
import { timeOfOrder } from '../../../../../domain/channel/event-id.ts';
import type { RunOutcome } from '../../../../../domain/channel/messages.ts';
import type { ComponentError } from '../../../../../domain/component/output.ts';
import { isCodeCheck } from '../../../../../domain/run/code-check.ts';
import type { RunView } from '../../../../../domain/views/index.ts';
import type { ViewBuild, ViewQuery } from '../../../../../view-store/view-store.ts';
import type { LastErrorRecord } from '../source-record.dto.ts';

export interface LastRuns {
  /** Epoch ms; null: no run of it is kept. */
  readonly last_run_at_ms: number | null;
  /** Epoch ms; null: no event of it is kept. */
  readonly last_event_at_ms: number | null;
  readonly last_error: LastErrorRecord | null;
}

export const noRuns: LastRuns = { last_run_at_ms: null, last_event_at_ms: null, last_error: null };

/** Checks of code are listed among runs without being any. Records per read to get past them: 85 in all. */
const readLimits = [1, 4, 16, 64] as const;

/** Three small reads for each source that has run since its last deploy or update: pass at most a page of sources. */
export async function lastRunsOf(
  build: ViewBuild,
  sourceIds: readonly string[],
): Promise<ReadonlyMap<string, LastRuns>> {
  return new Map(await Promise.all(sourceIds.map(async (id) => [id, await lastRunOf(build, id)] as const)));
}

/** Refused runs never began. Others can end in another order than they began, so the newest of both outcomes counts. */
export async function lastRunOf(build: ViewBuild, sourceId: string): Promise<LastRuns> {
  const [succeeded, failed, event] = await Promise.all([
    newestRun(build, [sourceId, 'succeeded']),
    newestRun(build, [sourceId, 'failed']),
    // Events can be large, and the index has their times.
    build.highest('events', { index: 'byEmitter', equals: [sourceId] }),
  ]);
  const startTimes = [succeeded, failed].flatMap((run) => (run === undefined ? [] : [run.startedAt]));
  return {
    last_run_at_ms: startTimes.length === 0 ? null : Math.max(...startTimes),
    last_event_at_ms: event === undefined ? null : timeOfOrder(String(event)),
    last_error: failed === undefined ? null : errorOf(failed),
  };
}

async function newestRun(
  build: ViewBuild,
  equals: readonly [sourceId: string, outcome: RunOutcome],
): Promise<RunView | undefined> {
  let after: ViewQuery['after'];
  for (const limit of readLimits) {
    const query = { index: 'byOutcome', equals, order: 'descending', limit } as const;
    const found = await build.find('runs', after === undefined ? query : { ...query, after });
    const runs = found.map(({ value }) => value as RunView);
    const newest = runs.find(({ kind }) => !isCodeCheck(kind));
    const last = runs.at(-1);
    if (newest !== undefined || last === undefined || runs.length < limit) return newest;
    after = { sort: last.order, id: last.runId };
  }
  return undefined;
}

function errorOf({ runId, startedAt, error }: RunView): LastErrorRecord {
  const { name, message } = (error as unknown as ComponentError | null) ?? { name: 'Error', message: '' };
  return { name, message, run_id: runId, at_ms: startedAt };
}
