// What a reader of history asks for, and whether a record is of it.
import { isAbout } from '../../../domain/history/about.ts';
import type { SignedTopic } from '../../../domain/flow.ts';
import type { LogRecord, Millis } from '../../../domain/message.ts';
import { chainIdOf } from '../../../domain/trace/chain.ts';

export interface Question {
  readonly workspace: string;
  readonly topic?: SignedTopic | undefined;
  readonly type?: string | undefined;
  /** Any public id. */
  readonly subject?: string | undefined;
  /** The id alone, without actor and trace. */
  readonly chainId?: string | undefined;
  readonly from?: Millis | undefined;
  /** Exclusive. */
  readonly to?: Millis | undefined;
}

export function isWanted(question: Question, topic: SignedTopic, record: LogRecord): boolean {
  const { workspace, type, subject, chainId, from = 0, to = Infinity } = question;
  if (record.workspace !== workspace || record.at < from || record.at >= to) return false;
  if (type !== undefined && record.type !== type) return false;
  if (chainId !== undefined && chainIdOf(record.correlationId) !== chainId) return false;
  return subject === undefined || isAbout(subject, topic, record);
}
