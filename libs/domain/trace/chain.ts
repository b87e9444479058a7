// Correlations of chains: a chain is all records that follow from one request or step; its correlation holds its actor
// and trace.
import type { StageName } from '../flow.ts';
import type { LogRecord } from '../message.ts';
import { traceparentOf } from './traceparent.ts';

const separator = '/';

/** The id of an API key, or the stage that began a chain by itself or for a request without a key. */
export type Actor = StageName | (string & {});

export interface Chain {
  readonly correlationId: string;
  readonly causationId: string;
}

/**
 * The `correlationId` and `causationId` of a chain's first record: `<id>/<actor>`, and behind another `/` the valid
 * `traceparent` that the request came with. Whatever follows passes the correlation on, and with it actor and trace.
 */
export const chainFrom = (id: string, actor: Actor, traceparent?: string): Chain => ({
  correlationId: [id, actor, ...(traceparent === undefined ? [] : [traceparent])].join(separator),
  causationId: id,
});

/** Undefined: an earlier version began the chain. */
export function actorOf(correlationId: string): Actor | undefined {
  const from = correlationId.indexOf(separator) + 1;
  if (from === 0) return undefined;
  const end = correlationId.indexOf(separator, from);
  const actor = correlationId.slice(from, end === -1 ? undefined : end);
  // Earlier programs wrote the traceparent there, which has dashes; an actor never has one.
  return actor === '' || actor.includes('-') ? undefined : actor;
}

/** Only the id of a correlation, which the API shows and accepts. */
export function chainIdOf(correlationId: string): string {
  const end = correlationId.indexOf(separator);
  return end === -1 ? correlationId : correlationId.slice(0, end);
}

/** The fields that the log adds to a record, from its correlation. */
export function originOf(record: Pick<LogRecord, 'id' | 'correlationId'>): Pick<LogRecord, 'traceparent' | 'actor'> {
  const actor = actorOf(record.correlationId);
  const traceparent = traceparentOf(record);
  return actor === undefined ? { traceparent } : { traceparent, actor };
}
