// Reads the log's records of the workspace, for auditors (docs/api.md, "History").
import type { Http } from '../http.ts';
import type { HistoryPage, HistoryQuery, HistoryRecord } from './history-records.ts';
import type { StreamRequest } from '../requests.ts';
import { streamMessages, type StreamMessage } from '../streams/stream-messages.ts';

export type HistoryStreamRequest = Omit<HistoryQuery, 'limit'> & StreamRequest;

export class History {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** Oldest first. A page can be short, or empty, although more follow. */
  page(query: HistoryQuery & { readonly after?: string } = {}): Promise<HistoryPage> {
    return this.#http.call({ method: 'GET', path: 'history', query });
  }

  /** Yields every record that exists now, page by page. */
  async *all(query: HistoryQuery = {}): AsyncGenerator<HistoryRecord> {
    for (let after: string | undefined; ;) {
      const { data, page_info } = await this.page({ ...query, ...(after === undefined ? {} : { after }) });
      yield* data;
      if (!page_info.has_more) return;
      after = page_info.end_cursor;
    }
  }

  /** Yields new records; `after` is a page's `end_cursor` or a message's id. Ends when the service ends it. */
  async *stream({
    after,
    signal,
    onOpen,
    ...query
  }: HistoryStreamRequest): AsyncGenerator<StreamMessage<HistoryRecord>> {
    const body = await this.#http.stream({ path: 'history/sse', query, lastEventId: after, signal });
    onOpen?.();
    yield* streamMessages<HistoryRecord>(body);
  }
}
