// Converts between the draft of a prop, which a form holds, and the value that the service takes.
import type { ConfigurableProp } from '../../api/records.ts';
import {
  accountIdIn,
  carriesLabels,
  hasChoices,
  isAskable,
  isRequired,
  labelledChoice,
  valueOfChoice,
} from './prop-kinds.ts';

/** A text, a switch, a list of texts, or a schedule; undefined: a switch that was not set. */
export type Draft = string | boolean | readonly string[] | Schedule | undefined;

export interface Schedule {
  readonly every: string;
  readonly cron: string;
  readonly timezone: string;
  readonly mode: 'every' | 'cron';
}

/** Lists whose items can be typed. Other list types are lists only if they have choices. */
const typedLists = new Set(['string[]', 'integer[]']);
const isList = (prop: ConfigurableProp): boolean =>
  typedLists.has(prop.type) || (prop.type.endsWith('[]') && hasChoices(prop));

/** The value is the text itself, for a data store its id. */
const isText = ({ type }: ConfigurableProp): boolean => type === 'string' || type === 'data_store';

/** The first draft: the configured value, or else the default. */
export function draftOf(prop: ConfigurableProp, value: unknown): Draft {
  const initial = value ?? prop.default;
  if (prop.type === '$.interface.timer') return scheduleOf(initial);
  if (prop.type === 'boolean') return typeof initial === 'boolean' ? initial : undefined;
  if (initial === undefined || initial === null) return isList(prop) ? [] : '';
  if (prop.type === 'app') return accountIdIn(initial);
  if (isList(prop))
    return asList(initial).map((item) => (hasChoices(prop) ? labelledChoice(prop, item) : String(item)));
  if (hasChoices(prop)) return labelledChoice(prop, initial);
  if (isText(prop) || prop.type === 'integer') return String(initial);
  return JSON.stringify(initial, null, 2);
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

export type ParsedDraft = { readonly value: unknown } | { readonly problem: string };

/** An empty field means null, no value. */
export function parseDraft(prop: ConfigurableProp, draft: Draft): ParsedDraft {
  if (draft === undefined) return { value: null };
  if (typeof draft === 'boolean') return { value: draft };
  if (typeof draft === 'string') return draft === '' ? { value: null } : parseText(prop, draft);
  if ('mode' in draft) return { value: scheduleValue(draft) };
  if (draft.length === 0) return { value: prop.optional === true ? null : [] };
  return parseList(prop, draft);
}

function parseText(prop: ConfigurableProp, text: string): ParsedDraft {
  const { type } = prop;
  if (type === 'app') return { value: { authProvisionId: text } };
  if (hasChoices(prop)) return { value: valueOfChoice(text) };
  if (isText(prop)) return { value: text };
  if (type === 'integer') return parseInteger(text);
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return type === 'any' ? { value: text } : { problem: 'must be JSON' };
  }
}

const parseInteger = (text: string): ParsedDraft =>
  /^-?\d+$/.test(text.trim()) ? { value: Number(text) } : { problem: 'must be a whole number' };

function parseList(prop: ConfigurableProp, texts: readonly string[]): ParsedDraft {
  if (hasChoices(prop)) return { value: listOfChoices(prop, texts) };
  if (prop.type === 'string[]') return { value: texts };
  const parsed = texts.map(parseInteger);
  const problem = parsed.find((item) => 'problem' in item);
  return problem ?? { value: parsed.map((item) => ('value' in item ? item.value : null)) };
}

/** A component that reads labels gets all choices in one `__lv`. */
function listOfChoices(prop: ConfigurableProp, texts: readonly string[]): unknown {
  const values = texts.map(valueOfChoice);
  return carriesLabels(prop) ? { __lv: values.map((value) => (value as { readonly __lv?: unknown }).__lv) } : values;
}

const scheduleValue = ({ mode, every, cron, timezone }: Schedule): unknown =>
  mode === 'every' ? { intervalSeconds: Number(every) } : { cron, ...(timezone === '' ? {} : { timezone }) };

export type Drafts = Readonly<Record<string, Draft>>;

export const draftsOf = (
  props: readonly ConfigurableProp[],
  configured: Readonly<Record<string, unknown>>,
  editedDrafts: Drafts = {},
): Drafts =>
  Object.fromEntries(
    props.filter(isAskable).map((prop) => {
      const initial = draftOf(prop, configured[prop.name]);
      const draft = editedDrafts[prop.name];
      return [prop.name, draft !== undefined && fits(prop, draft, initial) ? draft : initial];
    }),
  );

/** Whether a draft still fits: new code or other values can have replaced the prop by another of the same name. */
function fits(prop: ConfigurableProp, draft: Draft, initial: Draft): boolean {
  if (initial === undefined) return typeof draft === 'boolean';
  if (typeof draft !== typeof initial || Array.isArray(draft) !== Array.isArray(initial)) return false;
  if (!hasChoices(prop) || prop.type === 'app') return true;
  return [draft].flat().every((text) => text === '' || isJson(String(text)));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export interface FormValues {
  readonly values: Readonly<Record<string, unknown>>;
  readonly problems: Readonly<Record<string, string>>;
}

/** The values to send to the service, and a problem for each that is invalid. */
export function readDrafts(props: readonly ConfigurableProp[], drafts: Drafts): FormValues {
  const values: Record<string, unknown> = {};
  const problems: Record<string, string> = {};
  for (const prop of props.filter(isAskable)) {
    const parsed = parseDraft(prop, drafts[prop.name]);
    if ('problem' in parsed) problems[prop.name] = parsed.problem;
    else if (parsed.value !== null) values[prop.name] = parsed.value;
    else if (isRequired(prop)) problems[prop.name] = 'is required';
    else values[prop.name] = null;
  }
  return { values, problems };
}

/**
 * The values that the user has changed, so that those that others change meanwhile stay; and the defaults that the
 * form shows for props without a value. `shown`: the values that the form had before.
 */
export function changedValues(
  values: FormValues['values'],
  shown: FormValues['values'],
  configured: Readonly<Record<string, unknown>>,
): FormValues['values'] {
  const isUnchanged = (name: string, value: unknown): boolean =>
    JSON.stringify(value) === JSON.stringify(shown[name]) && (value === null || Object.hasOwn(configured, name));
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => !isUnchanged(name, value)));
}
