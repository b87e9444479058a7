// Lists the runs of a source, newest first; on request only those of one kind, one outcome or a range of time.
import type { RunOutcome } from '../../../../../domain/channel/messages.ts';
import type { TriggerKind } from '../../../../../domain/source/messages.ts';
import { isId } from '../../../../../domain/id.ts';
import { orderOfTime } from '../../../../../domain/views/index.ts';
import type { RunView } from '../../../../../domain/views/index.ts';
import type { ViewGroup } from '../../../../../view-store/view-store.ts';
import type { Caller } from '../../../control/api-keys.ts';
import type { Parts } from '../../../parts/parts.ts';
import { selectFields } from '../../../http/answer-envelope.ts';
import type { PageAnswer } from '../../../http/answer-envelope.ts';
import { cursorOfId, expiredCursor, idOfCursor } from '../../../http/pages/cursor.ts';
import { findOwned } from '../../owned-documents.ts';
import { BoundedList } from '../../lists/bounded-list.ts';
import { MergedRanges, orderPosition } from '../../lists/merged-ranges.ts';
import { readPageOf } from '../../lists/page-reader.ts';
import type { RunRecord } from '../../../records/run-record.dto.ts';
import { presentRun } from '../../../records/run.presenter.ts';
import { checkOwner } from '../source-owner.ts';
import { runOutcomes } from './runs.dto.ts';
import type { RunsDto } from './runs.dto.ts';

/** Throws ApiProblem 404. */
export async function listRuns(
  parts: Parts<'views'>,
  caller: Caller,
  sourceId: string,
  input: RunsDto,
): Promise<PageAnswer<RunRecord>> {
  await checkOwner(parts, caller, sourceId);
  const cursors = {
    positionOfCursor: async (cursor: string) => {
      const id = idOfCursor(cursor, (text) => isId('run', text));
      const run = await findOwned<RunView>(parts, caller, 'runs', id);
      if (run === undefined) throw expiredCursor();
      return { sort: run.order, id };
    },
    cursorOf: ({ id }: { readonly id: string }) => cursorOfId(id),
  };
  const { kind, outcome, from, to } = input;
  const ranges = new MergedRanges(parts.views(), {
    view: 'runs',
    groups: groupsOf(sourceId, kind ?? undefined, outcome ?? undefined),
    from: typeof from === 'number' ? orderOfTime(from) : undefined,
    to: typeof to === 'number' ? orderOfTime(to) : undefined,
  });
  const list = new BoundedList({ list: ranges, positionOf: orderPosition });
  const { page_info, documents } = await readPageOf(list, cursors, input);
  return { page_info, data: documents.map(({ value }) => selectFields(presentRun(value as RunView), input)) };
}

/** Groups with the runs of one kind and one outcome each. */
function groupsOf(sourceId: string, kind?: TriggerKind, outcome?: RunOutcome): readonly ViewGroup[] {
  const outcomes = outcome === undefined ? runOutcomes : [outcome];
  return outcomes.map((each) =>
    kind === undefined
      ? { index: 'byOutcome', equals: [sourceId, each] }
      : { index: 'byKind', equals: [sourceId, kind, each] },
  );
}
