// When each of some sources last ran and emitted and how it last failed: read from its records, so that a run costs no extra write.
import { timeOfOrder } from '../../../../../domain/channel/event-id.ts';
import type { ComponentError } from '../../../../../domain/component/output.ts';
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

/** Three small reads for each source: give it at most a page of sources. */
export async function lastRunsOf(
  build: ViewBuild,
  sourceIds: readonly string[],
): Promise<ReadonlyMap<string, LastRuns>> {
  return new Map(await Promise.all(sourceIds.map(async (id) => [id, await lastRunOf(build, id)] as const)));
}

export async function lastRunOf(build: ViewBuild, sourceId: string): Promise<LastRuns> {
  const newest = async (of: Pick<ViewQuery, 'index' | 'equals'>): Promise<RunView | undefined> => {
    const [found] = await build.find('runs', { ...of, order: 'descending', limit: 1 });
    return found?.value as RunView | undefined;
  };
  const [last, failed, event] = await Promise.all([
    newest({ index: 'byPlace', equals: [sourceId] }),
    newest({ index: 'byOutcome', equals: [sourceId, 'failed'] }),
    // Events may be large, and their times stand in the index.
    build.highest('events', { index: 'byEmitter', equals: [sourceId] }),
  ]);
  return {
    last_run_at_ms: last?.startedAt ?? null,
    last_event_at_ms: event === undefined ? null : timeOfOrder(String(event)),
    last_error: failed === undefined ? null : errorOf(failed),
  };
}

function errorOf({ runId, startedAt, error }: RunView): LastErrorRecord {
  const { name, message } = (error as unknown as ComponentError | null) ?? { name: 'Error', message: '' };
  return { name, message, run_id: runId, at_ms: startedAt };
}
