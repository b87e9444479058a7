// A question about history, and whether a record matches it.
import { isAbout } from '../../../domain/history/about.ts';
import type { SignedTopic } from '../../../domain/flow.ts';
import { timeOfId } from '../../../domain/id.ts';
import type { LogRecord, Millis } from '../../../domain/message.ts';
import { chainIdOf } from '../../../domain/trace/chain.ts';

export interface Question {
  readonly workspace: string;
  readonly topic?: SignedTopic | undefined;
  readonly type?: string | undefined;
  /** Any public id. */
  readonly subject?: string | undefined;
  /** Only the id, without actor and trace. */
  readonly chainId?: string | undefined;
  readonly from?: Millis | undefined;
  /** Exclusive. */
  readonly to?: Millis | undefined;
}

/**
 * How long after its request a chain can have records: by default retries of deliveries end after some three days.
 * Without this bound a question about a finished chain would read all later history.
 */
const chainMs = 7 * 24 * 3_600_000;

/** The time after which a page does not search for the records of a chain; undefined if the question has a `to`. */
export function chainEnd({ chainId = '', from = 0, to }: Question): Millis | undefined {
  const requestedAt = timeOfId('req', chainId);
  return requestedAt === undefined || to !== undefined ? undefined : Math.max(requestedAt, from) + chainMs;
}

export function matchesQuestion(question: Question, topic: SignedTopic, record: LogRecord): boolean {
  const { workspace, type, subject, chainId, from = 0, to = Infinity } = question;
  if (record.workspace !== workspace || record.at < from || record.at >= to) return false;
  if (type !== undefined && record.type !== type) return false;
  if (chainId !== undefined && chainIdOf(record.correlationId) !== chainId) return false;
  return subject === undefined || isAbout(subject, topic, record);
}
