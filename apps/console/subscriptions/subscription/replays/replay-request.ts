// Makes the request for a replay from the fields of its form.

export interface ReplayFields {
  readonly only: string;
  /** From a date and time field in the reader's zone, or in UTC; empty: from the oldest event, up to now. */
  readonly from: string;
  readonly to: string;
  readonly rate: string;
  readonly source: string | null;
}

export const replayRequest = ({ only, from, to, rate, source }: ReplayFields): Readonly<Record<string, unknown>> => ({
  only,
  ...(from === '' ? {} : { from: { time: Date.parse(from) } }),
  ...(to === '' ? {} : { to: { time: Date.parse(to) } }),
  ...(rate === '' ? {} : { rate: Number(rate) }),
  ...(source === null ? {} : { emitter_id: source }),
});
