// Encodes the cursor of a history page: how far each lane was read, as opaque text that fits only its own question.
import { hash } from 'node:crypto';
import type { Millis } from '../../../domain/message.ts';
import { invalidRequest } from '../http/api-problem.ts';
import { problemOfField } from '../http/input/field-problem.ts';
import { badCursor } from '../http/pages/cursor.ts';
import { allLanes, type Lane } from './lanes.ts';
import type { Question } from './question.ts';

/** Undefined: the offset at which the lane begins is not known yet. */
export interface LanePosition extends Lane {
  readonly offset: number | undefined;
}

export interface HistoryPosition {
  readonly lanes: readonly LanePosition[];
  /** The time at which a lane without an offset begins. */
  readonly since: Millis;
}

const digestBytes = 8;
const base = 128;
/**
 * The longest cursor, in characters: a longer one would hardly fit into a request's headers. The lanes of all topics
 * fit up to some 280 partitions; those of one topic always do.
 */
export const historyCursorCharsMax = 12_000;
const pattern = /^[A-Za-z0-9_-]+$/;

/**
 * Writes numbers in groups of seven bits, lowest first, and a lane as its distance from the lane before. Throws
 * ApiProblem 400 if the cursor would be too long for a request.
 */
export function historyCursor(question: Question, { lanes, since }: HistoryPosition, partitions: number): string {
  const numbers = [since];
  let lastIndex = -1;
  const indexes = laneIndexes(partitions);
  for (const { topic, partition, offset } of lanes) {
    const index = indexes.get(`${topic}/${partition}`) ?? 0;
    numbers.push(index - lastIndex, offset === undefined ? 0 : offset + 1);
    lastIndex = index;
  }
  const body = Buffer.from(numbers.flatMap(groupsOf));
  const cursor = Buffer.concat([digestOf(question, partitions, body), body]).toString('base64url');
  if (cursor.length <= historyCursorCharsMax) return cursor;
  const message = 'The log has too many partitions to continue this question: ask one `topic` at a time.';
  throw invalidRequest(message, problemOfField('topic', 'topic must be given'));
}

/** Throws ApiProblem 400 for a cursor of another question. */
export function readHistoryCursor(question: Question, cursor: string, partitions: number): HistoryPosition {
  const bytes = pattern.test(cursor) ? Buffer.from(cursor, 'base64url') : Buffer.alloc(0);
  const body = bytes.subarray(digestBytes);
  if (!bytes.subarray(0, digestBytes).equals(digestOf(question, partitions, body))) throw badCursor();
  const [since = 0, ...numbers] = numbersOf(body);
  // The digest has no secret: anybody can compute one for other numbers.
  if (![since, ...numbers].every(Number.isSafeInteger)) throw badCursor();
  const all = allLanes(partitions);
  const lanes: LanePosition[] = [];
  for (let at = 0, index = -1; at < numbers.length; at += 2) {
    const [distance = 0, next] = numbers.slice(at, at + 2);
    index += distance;
    const lane = all[index];
    if (distance === 0 || lane === undefined || next === undefined) throw badCursor();
    lanes.push({ ...lane, offset: next === 0 ? undefined : next - 1 });
  }
  return { lanes, since };
}

const laneIndexes = (partitions: number): ReadonlyMap<string, number> =>
  new Map(allLanes(partitions).map(({ topic, partition }, index) => [`${topic}/${partition}`, index]));

/** Ties the cursor to its question, and reveals one that was cut off on the way. */
function digestOf(question: Question, partitions: number, body: Buffer): Buffer {
  const { workspace, topic, type, subject, chainId, from, to } = question;
  const queryText = JSON.stringify([workspace, topic, type, subject, chainId, from, to, partitions]);
  const digest = hash('sha256', Buffer.concat([Buffer.from(queryText), Buffer.from([0]), body]), 'buffer');
  return digest.subarray(0, digestBytes);
}

function groupsOf(number: number): number[] {
  const groups: number[] = [];
  let remaining = number;
  for (; remaining >= base; remaining = Math.floor(remaining / base)) groups.push((remaining % base) + base);
  return [...groups, remaining];
}

function numbersOf(bytes: Buffer): number[] {
  const numbers: number[] = [];
  let number = 0;
  let unit = 1;
  for (const byte of bytes) {
    number += (byte % base) * unit;
    unit *= base;
    if (byte >= base) continue;
    numbers.push(number);
    [number, unit] = [0, 1];
  }
  return numbers;
}
