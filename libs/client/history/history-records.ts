// Types of history in API responses (docs/api.md, "History").

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
  /** Who began the chain of causes: an API key's id, or a stage. */
  readonly actor?: string;
  readonly data?: unknown;
}

export interface HistoryQuery {
  readonly topic?: string;
  readonly type?: string;
  /** Any id. */
  readonly subject?: string;
  readonly correlation_id?: string;
  /** Epoch ms. */
  readonly from?: number;
  /** Exclusive end, epoch ms. */
  readonly to?: number;
  /** 1 to 1,000; 100 by default. */
  readonly limit?: number;
}

export interface HistoryPage {
  readonly page_info: {
    readonly count: number;
    readonly end_cursor: string;
    readonly has_more: boolean;
    readonly searched_to_ms?: number;
  };
  readonly data: readonly HistoryRecord[];
}
