// Reads the documents of a span from a view that has one or more for each hour, or for each day.
import type { ViewBuild, ViewDocument } from '../../../../view-store/view-store.ts';
import { documentsMax } from '../../../../view-store/catalog.ts';
import { dayMs } from '../../../../domain/views/index.ts';
import { hourMs } from '../../../../domain/views/stats/stats.view.ts';
import type { Span } from './span.ts';

export interface StatsList {
  readonly view: string;
  readonly index: string;
  readonly equals: readonly string[];
}

/** Reads page by page, so that other requests are answered in between. */
export function hourlyDocuments(
  views: ViewBuild,
  list: StatsList,
  span: Pick<Span, 'from' | 'to'>,
): AsyncGenerator<ViewDocument> {
  return documentsOf(views, list, { ...span, field: 'hour', unitMs: hourMs });
}

export function dailyDocuments(
  views: ViewBuild,
  list: StatsList,
  span: Pick<Span, 'from' | 'to'>,
): AsyncGenerator<ViewDocument> {
  return documentsOf(views, list, { ...span, field: 'day', unitMs: dayMs });
}

interface SpanQuery extends Pick<Span, 'from' | 'to'> {
  /** The field with the beginning of a document's hour or day. */
  readonly field: string;
  readonly unitMs: number;
}

async function* documentsOf(
  views: ViewBuild,
  { view, index, equals }: StatsList,
  { from, to, field, unitMs }: SpanQuery,
): AsyncGenerator<ViewDocument> {
  const startOf = ({ value }: ViewDocument): number => Number(value[field]);
  // A place just before the first one: every document of that hour or day has a greater id than the empty one.
  let after = { sort: Math.floor(from / unitMs) * unitMs, id: '' };
  for (;;) {
    const page = await views.find(view, { index, equals, order: 'ascending', limit: documentsMax, after });
    for (const document of page) {
      if (startOf(document) >= to) return;
      yield document;
    }
    const last = page.at(-1);
    if (last === undefined || page.length < documentsMax) return;
    after = { sort: startOf(last), id: last.id };
  }
}
