// Reads the events in a request to publish; checks each without the validator, since there can be a thousand.
import { isNestedTooDeep, jsonDepthMax } from '../../../../../domain/json.ts';
import type { Json } from '../../../../../domain/json.ts';
import { isServiceChannel } from '../../../../../domain/service-channels/service-channels.ts';
import type { PublishedEvent } from '../../../../../domain/publish/messages.ts';
import { publishedEventsMax } from '../../../../../domain/publish/publish.ts';
import { sizes } from '../../../../../domain/sizes.ts';
import { tooLarge } from '../../../http/api-problem.ts';
import { problemsOf } from '../../../http/input/field-problem.ts';
import type { FieldProblem } from '../../../http/input/field-problem.ts';
import { shortName } from '../../../http/json/text-fault.ts';
import { idCharsMax, nameCharsMax } from './publish.dto.ts';
import type { PublishDto } from './publish.dto.ts';
import { millisMax } from '../../../../../domain/message.ts';

type EventFields = Readonly<Record<string, unknown>>;

const fields = ['event', 'id', 'name', 'summary', 'ts'] as const;
type Field = (typeof fields)[number];
const knownFields: ReadonlySet<string> = new Set(fields);

export interface PublishBatch {
  /** At least one. */
  readonly events: readonly PublishedEvent[];
  /** Their size as JSON. */
  readonly bytes: number;
}

/** Throws ApiProblem 400 or 413. */
export function readPublishedEvents(input: PublishDto): PublishBatch {
  const { events } = input;
  const published = events === undefined || events === null ? [readSingleEvent(input)] : readEventList(input, events);
  // The other fields are bounded by the body: a record has room for both.
  const bytes = published.reduce((sum, { event }) => sum + Buffer.byteLength(JSON.stringify(event)), 0);
  if (bytes > sizes.publishedBytes)
    throw tooLarge(`The events together have ${bytes} bytes as JSON; at most ${sizes.publishedBytes} are taken.`);
  return { events: published, bytes };
}

function readSingleEvent(input: PublishDto): PublishedEvent {
  const problems = fieldProblems(input as EventFields, '');
  if (problems.length > 0) throw problemsOf(problems);
  return eventOf(input as EventFields);
}

function readEventList(input: PublishDto, events: unknown): readonly PublishedEvent[] {
  const topLevelFields = fields.filter((field) => (input[field] ?? null) !== null);
  if (topLevelFields.length > 0)
    throw problemsOf(
      topLevelFields.map((field) => ({ field, message: `Give ${field} within each event, not next to them` })),
    );
  if (!Array.isArray(events) || events.length === 0 || events.length > publishedEventsMax)
    throw problemsOf([{ field: 'events', message: `events must be a list of 1 to ${publishedEventsMax} events` }]);
  const items = events as readonly unknown[];
  const problems = items.flatMap((one, index) => itemProblems(one, `events[${index}]`));
  if (problems.length > 0) throw problemsOf(problems);
  return items.map((one) => eventOf(one as EventFields));
}

function itemProblems(item: unknown, path: string): readonly FieldProblem[] {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    return [{ field: path, message: `${path} must be an object with event` }];
  const unknownFields = Object.keys(item).filter((name) => !knownFields.has(name));
  const problems = unknownFields.map((name) => ({
    field: path,
    message: `${path} has the unknown field ${shortName(name)}`,
  }));
  return [...problems, ...fieldProblems(item as EventFields, `${path}.`)];
}

function fieldProblems(values: EventFields, path: string): readonly FieldProblem[] {
  const problems: FieldProblem[] = [];
  for (const field of fields) {
    const value = values[field];
    const isAbsent = value === undefined || (value === null && field !== 'event');
    const fault = isAbsent && field !== 'event' ? undefined : checks[field](value);
    if (fault !== undefined) problems.push({ field: `${path}${field}`, message: `${path}${field} ${fault}` });
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
    return isServiceChannel(value) ? 'cannot begin with $: those channels are of the service' : undefined;
  },
  summary: (value) => (typeof value === 'string' ? undefined : 'must be a text'),
  ts: (value) =>
    Number.isSafeInteger(value) && Math.abs(value as number) <= millisMax ? undefined : 'must be epoch milliseconds',
};

function eventOf({ event, id, name, summary, ts }: EventFields): PublishedEvent {
  return {
    event: event as Json,
    channel: typeof name === 'string' ? name : '',
    ...(id === undefined || id === null ? {} : { id: id as string | number }),
    ...(typeof summary === 'string' ? { summary } : {}),
    ...(typeof ts === 'number' ? { ts } : {}),
  };
}
