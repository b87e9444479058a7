// What the log holds of the workspace, as auditors read it (docs/api.md, "History").
import type { Http } from '../http.ts';
import type { StreamRequest } from '../requests.ts';
import { streamMessages, type StreamMessage } from '../streams/stream-messages.ts';

/** A CloudEvent; docs/topics.md says what `data` holds by `type`. */
export interface HistoryRecord {
  readonly id: string;
  /** `/wellspring/` and the topic. */
  readonly source: string;
  readonly type: string;
  /** ISO 8601, to the millisecond. */
  readonly time: string;
  readonly partitionkey: string;
  readonly correlationid: string;
  readonly causationid: string;
  /** Who began what led to it: an API key's id, or a stage. */
  readonly actor?: string;
  readonly data?: unknown;
}

export interface HistoryQuestion {
  readonly topic?: string;
  readonly type?: string;
  /** Any id. */
  readonly subject?: string;
  readonly correlation_id?: string;
  /** Epoch ms. */
  readonly from?: number;
  /** Before then. */
  readonly to?: number;
  /** 1 to 1,000; 100 by default. */
  readonly limit?: number;
}

export type HistoryStreamRequest = Omit<HistoryQuestion, 'limit'> & StreamRequest;

export interface HistoryPage {
  readonly page_info: { readonly count: number; readonly end_cursor: string; readonly has_more: boolean };
  readonly data: readonly HistoryRecord[];
}

export class History {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** Oldest first. A page may be short, or empty, and still have more behind it. */
  page(query: HistoryQuestion & { readonly after?: string } = {}): Promise<HistoryPage> {
    return this.#http.call({ method: 'GET', path: 'history', query });
  }

  /** Every record that there is now, page by page. */
  async *all(question: HistoryQuestion = {}): AsyncGenerator<HistoryRecord> {
    for (let after: string | undefined; ;) {
      const { data, page_info } = await this.page({ ...question, ...(after === undefined ? {} : { after }) });
      yield* data;
      if (!page_info.has_more) return;
      after = page_info.end_cursor;
    }
  }

  /** Records as they come; `after` takes a page's `end_cursor` and a message's id. Ends when the service ends it. */
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
