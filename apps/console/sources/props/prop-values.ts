// Between what a form holds of a prop (its draft) and the value that the service takes.
import type { ConfigurableProp } from '../../api/records.ts';

/** A text, a switch, a list of texts, or a schedule; undefined: left as it is. */
export type Draft = string | boolean | readonly string[] | Schedule | undefined;

export interface Schedule {
  readonly every: string;
  readonly cron: string;
  readonly timezone: string;
  readonly mode: 'every' | 'cron';
}

export interface Choice {
  readonly label: string;
  /** As JSON, so that 1 and "1" are two choices. */
  readonly value: string;
}

export const isAsked = ({ type, hidden, static: fixed }: ConfigurableProp): boolean =>
  hidden !== true && fixed === undefined && !['$.interface.http', '$.service.db', 'alert'].includes(type);

export const isRequired = (prop: ConfigurableProp): boolean => prop.optional !== true && prop.default === undefined;

/** Each option is a value, or a value with a label. */
export function choicesOf({ options }: ConfigurableProp): readonly Choice[] | undefined {
  return options?.map((option) => {
    const { label, value } = (option ?? {}) as { readonly label?: unknown; readonly value?: unknown };
    if (label !== undefined && value !== undefined) return { label: String(label), value: JSON.stringify(value) };
    return { label: typeof option === 'string' ? option : JSON.stringify(option), value: JSON.stringify(option) };
  });
}

const lists = new Set(['string[]', 'integer[]']);

/** What a form begins with: the value that is configured, or else the default. */
export function draftOf(prop: ConfigurableProp, value: unknown): Draft {
  const given = value ?? prop.default;
  if (prop.type === '$.interface.timer') return scheduleOf(given);
  if (prop.type === 'boolean') return typeof given === 'boolean' ? given : undefined;
  if (given === undefined || given === null) return lists.has(prop.type) ? [] : '';
  if (lists.has(prop.type)) return asList(given).map((item) => (prop.options ? JSON.stringify(item) : String(item)));
  if (prop.options !== undefined) return JSON.stringify(given);
  if (prop.type === 'string' || prop.type === 'integer') return String(given);
  return JSON.stringify(given, null, 2);
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

function scheduleOf(value: unknown): Schedule {
  const fields = (value ?? {}) as Readonly<Record<string, unknown>>;
  const every = fields['intervalSeconds'] ?? fields['interval_seconds'];
  const { cron, timezone } = fields;
  return {
    every: typeof every === 'number' ? String(every) : '60',
    cron: typeof cron === 'string' ? cron : '',
    timezone: typeof timezone === 'string' ? timezone : '',
    mode: typeof cron === 'string' ? 'cron' : 'every',
  };
}

export type Read = { readonly value: unknown } | { readonly problem: string };

/** The value of an empty field is null: no value. */
export function valueOf(prop: ConfigurableProp, draft: Draft): Read {
  if (draft === undefined) return { value: null };
  if (typeof draft === 'boolean') return { value: draft };
  if (typeof draft === 'string') return draft === '' ? { value: null } : fromText(prop, draft);
  if ('mode' in draft) return { value: fromSchedule(draft) };
  if (draft.length === 0) return { value: prop.optional === true ? null : [] };
  return fromList(prop, draft);
}

function fromText({ type, options }: ConfigurableProp, text: string): Read {
  if (options !== undefined) return { value: JSON.parse(text) as unknown };
  if (type === 'string') return { value: text };
  if (type === 'integer') return integer(text);
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return type === 'any' ? { value: text } : { problem: 'must be JSON' };
  }
}

const integer = (text: string): Read =>
  /^-?\d+$/.test(text.trim()) ? { value: Number(text) } : { problem: 'must be a whole number' };

function fromList({ type, options }: ConfigurableProp, texts: readonly string[]): Read {
  if (options !== undefined) return { value: texts.map((text) => JSON.parse(text) as unknown) };
  if (type === 'string[]') return { value: texts };
  const read = texts.map(integer);
  const problem = read.find((item) => 'problem' in item);
  return problem ?? { value: read.map((item) => ('value' in item ? item.value : null)) };
}

const fromSchedule = ({ mode, every, cron, timezone }: Schedule): unknown =>
  mode === 'every' ? { intervalSeconds: Number(every) } : { cron, ...(timezone === '' ? {} : { timezone }) };

export type Drafts = Readonly<Record<string, Draft>>;

export const draftsOf = (
  props: readonly ConfigurableProp[],
  configured: Readonly<Record<string, unknown>>,
  kept: Drafts = {},
): Drafts =>
  Object.fromEntries(
    props.filter(isAsked).map((prop) => [prop.name, kept[prop.name] ?? draftOf(prop, configured[prop.name])]),
  );

export interface Filled {
  readonly values: Readonly<Record<string, unknown>>;
  readonly problems: Readonly<Record<string, string>>;
}

/** All values that the service is to be sent, and what is wrong with the others. */
export function filled(props: readonly ConfigurableProp[], drafts: Drafts): Filled {
  const values: Record<string, unknown> = {};
  const problems: Record<string, string> = {};
  for (const prop of props.filter(isAsked)) {
    const read = valueOf(prop, drafts[prop.name]);
    if ('problem' in read) problems[prop.name] = read.problem;
    else if (read.value !== null) values[prop.name] = read.value;
    else if (isRequired(prop)) problems[prop.name] = 'is required';
    else values[prop.name] = null;
  }
  return { values, problems };
}
