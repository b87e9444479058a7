// Reads the events in a request to publish; checks each without the validator, since there can be a thousand.
import { isNestedTooDeep, jsonDepthMax } from '../../../../../domain/json.ts';
import type { Json } from '../../../../../domain/json.ts';
import { isOwnChannel } from '../../../../../domain/service-channels/service-channels.ts';
import type { PublishedEvent } from '../../../../../domain/publish/messages.ts';
import { publishedMax } from '../../../../../domain/publish/publish.ts';
import { sizes } from '../../../../../domain/sizes.ts';
import { tooLarge } from '../../../http/api-problem.ts';
import { problemsOf } from '../../../http/input/field-problem.ts';
import type { FieldProblem } from '../../../http/input/field-problem.ts';
import { shortName } from '../../../http/json/text-fault.ts';
import { idCharsMax, nameCharsMax } from './publish.dto.ts';
import type { PublishDto } from './publish.dto.ts';
import { millisMax } from '../../../../../domain/message.ts';

type Given = Readonly<Record<string, unknown>>;

const fields = ['event', 'id', 'name', 'summary', 'ts'] as const;
type Field = (typeof fields)[number];
const known: ReadonlySet<string> = new Set(fields);

export interface GivenEvents {
  /** At least one. */
  readonly events: readonly PublishedEvent[];
  /** Their size as JSON. */
  readonly bytes: number;
}

/** Throws ApiProblem 400 or 413. */
export function publishedEvents(input: PublishDto): GivenEvents {
  const { events } = input;
  const given = events === undefined || events === null ? [single(input)] : several(input, events);
  // The other fields are bounded by the body: a record has room for both.
  const bytes = given.reduce((sum, { event }) => sum + Buffer.byteLength(JSON.stringify(event)), 0);
  if (bytes > sizes.publishedBytes)
    throw tooLarge(`The events together have ${bytes} bytes as JSON; at most ${sizes.publishedBytes} are taken.`);
  return { events: given, bytes };
}

function single(input: PublishDto): PublishedEvent {
  const problems = problemsIn(input as Given, '');
  if (problems.length > 0) throw problemsOf(problems);
  return eventOf(input as Given);
}

function several(input: PublishDto, events: unknown): readonly PublishedEvent[] {
  const beside = fields.filter((field) => (input[field] ?? null) !== null);
  if (beside.length > 0)
    throw problemsOf(beside.map((field) => ({ field, message: `Give ${field} within each event, not next to them` })));
  if (!Array.isArray(events) || events.length === 0 || events.length > publishedMax)
    throw problemsOf([{ field: 'events', message: `events must be a list of 1 to ${publishedMax} events` }]);
  const all = events as readonly unknown[];
  const problems = all.flatMap((one, index) => problemsOfOne(one, `events[${index}]`));
  if (problems.length > 0) throw problemsOf(problems);
  return all.map((one) => eventOf(one as Given));
}

function problemsOfOne(one: unknown, at: string): readonly FieldProblem[] {
  if (typeof one !== 'object' || one === null || Array.isArray(one))
    return [{ field: at, message: `${at} must be an object with event` }];
  const strange = Object.keys(one).filter((name) => !known.has(name));
  const problems = strange.map((name) => ({ field: at, message: `${at} has the unknown field ${shortName(name)}` }));
  return [...problems, ...problemsIn(one as Given, `${at}.`)];
}

function problemsIn(given: Given, at: string): readonly FieldProblem[] {
  const problems: FieldProblem[] = [];
  for (const field of fields) {
    const value = given[field];
    const isAbsent = value === undefined || (value === null && field !== 'event');
    const problem = isAbsent && field !== 'event' ? undefined : checks[field](value);
    if (problem !== undefined) problems.push({ field: `${at}${field}`, message: `${at}${field} ${problem}` });
  }
  return problems;
}

/** Two ids that differ as text can be the same number, and the second event would be dropped as a duplicate. */
const roundedId = 'is a number above 2^53, which JSON numbers do not hold exactly: send it as text';

const checks: Readonly<Record<Field, (value: unknown) => string | undefined>> = {
  event: (value) => {
    if (value === undefined) return 'is required';
    return isNestedTooDeep(value as Json) ? `is nested deeper than ${jsonDepthMax} levels` : undefined;
  },
  id: (value) => {
    if (typeof value === 'number') return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? undefined : roundedId;
    const isId = typeof value === 'string' && value.length > 0 && value.length <= idCharsMax;
    return isId ? undefined : `must be a number, or a text of 1 to ${idCharsMax} characters`;
  },
  name: (value) => {
    if (typeof value !== 'string' || value.length > nameCharsMax)
      return `must be a text of at most ${nameCharsMax} characters`;
    return isOwnChannel(value) ? 'cannot begin with $: those channels are of the service' : undefined;
  },
  summary: (value) => (typeof value === 'string' ? undefined : 'must be a text'),
  ts: (value) =>
    Number.isSafeInteger(value) && Math.abs(value as number) <= millisMax ? undefined : 'must be epoch milliseconds',
};

function eventOf({ event, id, name, summary, ts }: Given): PublishedEvent {
  return {
    event: event as Json,
    channel: typeof name === 'string' ? name : '',
    ...(id === undefined || id === null ? {} : { id: id as string | number }),
    ...(typeof summary === 'string' ? { summary } : {}),
    ...(typeof ts === 'number' ? { ts } : {}),
  };
}
