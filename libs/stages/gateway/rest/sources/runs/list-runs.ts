// The runs of a source, newest first; on request only those of one kind, one outcome or a range of time.
import type { RunOutcome } from '../../../../../domain/channel/messages.ts';
import type { TriggerKind } from '../../../../../domain/source/messages.ts';
import { isId } from '../../../../../domain/id.ts';
import { orderOfTime } from '../../../../../domain/views/index.ts';
import type { RunView } from '../../../../../domain/views/index.ts';
import type { ViewBuild, ViewCount, ViewDocument } from '../../../../../view-store/view-store.ts';
import type { Caller } from '../../../control/api-keys.ts';
import type { Parts } from '../../../parts/parts.ts';
import { chosenFields } from '../../../http/answer.ts';
import type { Many } from '../../../http/answer.ts';
import { cursorOfId, expiredCursor, idOfCursor } from '../../../http/pages/cursor.ts';
import { findOwned } from '../../owned.ts';
import { readPageOf } from '../../lists/page-reader.ts';
import type { Listed, PageQuery, Place } from '../../lists/page-reader.ts';
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
): Promise<Many<RunRecord>> {
  await checkOwner(parts, caller, sourceId);
  const cursors = {
    place: async (cursor: string) => {
      const id = idOfCursor(cursor, (text) => isId('run', text));
      const run = await findOwned<RunView>(parts, caller, 'runs', id);
      if (run === undefined) throw expiredCursor();
      return { sort: run.order, id };
    },
    cursorOf: ({ id }: { readonly id: string }) => cursorOfId(id),
  };
  const { page_info, documents } = await readPageOf(new Runs(parts.views(), sourceId, input), cursors, input);
  return { page_info, data: documents.map(({ value }) => chosenFields(presentRun(value as RunView), input)) };
}

const orderOf = ({ value }: ViewDocument): string => (value as RunView).order;

/** Each index range has one kind and one outcome: a list merges a few of them in order. */
class Runs implements Listed {
  readonly #build: ViewBuild;
  readonly #parts: readonly ViewCount[];
  readonly #from: string;
  readonly #to: string;

  constructor(build: ViewBuild, sourceId: string, { kind, outcome, from, to }: RunsDto) {
    this.#build = build;
    this.#from = orderOfTime(from ?? 0);
    this.#to = orderOfTime(to ?? Number.MAX_SAFE_INTEGER);
    const range = {
      ...(typeof from === 'number' ? { from: this.#from } : {}),
      ...(typeof to === 'number' ? { to: this.#to } : {}),
    };
    this.#parts = partsOf(sourceId, kind ?? undefined, outcome ?? undefined).map((part) => ({ ...part, ...range }));
  }

  async find(query: PageQuery): Promise<readonly ViewDocument[]> {
    const { order, limit } = query;
    const after = this.#begin(query);
    const each = this.#parts.map(({ index, equals }) =>
      this.#build.find('runs', { index, equals, order, limit, ...(after === undefined ? {} : { after }) }),
    );
    const sign = order === 'ascending' ? 1 : -1;
    return (await Promise.all(each))
      .flat()
      .filter((one) => orderOf(one) >= this.#from && orderOf(one) < this.#to)
      .sort((a, b) => (orderOf(a) < orderOf(b) ? -sign : sign))
      .slice(0, limit);
  }

  async count(): Promise<number> {
    const counts = await Promise.all(this.#parts.map((part) => this.#build.count('runs', part)));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** The nearer of the cursor and the end of the requested time. The empty id comes before every real one. */
  #begin({ order, after }: PageQuery): Place | undefined {
    const isNewestFirst = order === 'descending';
    const end = { sort: isNewestFirst ? this.#to : this.#from, id: '' };
    if (after === undefined) return end;
    const at = String(after.sort);
    const isWithin = isNewestFirst ? at < end.sort : at >= end.sort;
    return isWithin ? after : end;
  }
}

function partsOf(sourceId: string, kind?: TriggerKind, outcome?: RunOutcome): readonly ViewCount[] {
  const outcomes = outcome === undefined ? runOutcomes : [outcome];
  return outcomes.map((each) =>
    kind === undefined
      ? { index: 'byOutcome', equals: [sourceId, each] }
      : { index: 'byKind', equals: [sourceId, kind, each] },
  );
}
