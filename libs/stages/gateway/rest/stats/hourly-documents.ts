// Reads the documents of a span from a view that has one or more for each hour.
import type { ViewBuild, ViewDocument } from '../../../../view-store/view-store.ts';
import { documentsMax } from '../../../../view-store/catalog.ts';
import { hourMs } from '../../../../domain/views/stats/stats.view.ts';
import type { Span } from './span.ts';

export interface Hourly {
  readonly view: string;
  readonly index: string;
  readonly equals: readonly string[];
}

/** Page by page, so that other requests are answered in between. */
export async function* hourlyDocuments(
  views: ViewBuild,
  { view, index, equals }: Hourly,
  { from, to }: Pick<Span, 'from' | 'to'>,
): AsyncGenerator<ViewDocument> {
  // A place just before the first hour: every document of that hour has a greater id than the empty one.
  let after = { sort: Math.floor(from / hourMs) * hourMs, id: '' };
  for (;;) {
    const page = await views.find(view, { index, equals, order: 'ascending', limit: documentsMax, after });
    for (const document of page) {
      if (hourOf(document) >= to) return;
      yield document;
    }
    const last = page.at(-1);
    if (last === undefined || page.length < documentsMax) return;
    after = { sort: hourOf(last), id: last.id };
  }
}

const hourOf = ({ value }: ViewDocument): number => Number(value['hour']);
