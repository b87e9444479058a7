// Decides whether a record is about a thing: its envelope or a field of its data names the thing's id.
import { runIdOf } from '../run/run-output.ts';
import type { TopicName } from '../flow.ts';
import { isId } from '../id.ts';
import type { LogRecord } from '../message.ts';
import { chainIdOf } from '../trace/chain.ts';

/** `subject`: any public id. Searches the top-level fields of the data and lists of ids in them, not nested objects. */
export function isAbout(subject: string, topic: TopicName, record: LogRecord): boolean {
  const { id, key, actor, causationId, correlationId, data } = record;
  if (key === subject || id === subject || actor === subject || causationId === subject) return true;
  if (chainIdOf(correlationId) === subject || key.startsWith(`${subject}/`)) return true;
  if (topic === 'triggers' && isId('run', subject) && runIdOf(record) === subject) return true;
  return typeof data === 'object' && data !== null && Object.values(data).some((value) => containsId(value, subject));
}

const containsId = (value: unknown, subject: string): boolean =>
  value === subject || (Array.isArray(value) && value.includes(subject));
