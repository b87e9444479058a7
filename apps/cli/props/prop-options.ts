// Converts props from the command line to the types that the component declares.
import type { ConfigurableProp } from '../../../libs/client/index.ts';
import { contentOf } from '../session/content.ts';
import { usageFailure } from '../failures/failure.ts';
import type { Session } from '../session/session.ts';

export interface PropOptions {
  readonly props?: string;
  readonly prop?: readonly string[];
}

export interface PropInput {
  /** From `--props`: JSON, not converted. */
  readonly values: Readonly<Record<string, unknown>>;
  /** From `--prop name=value`: text, whose meaning depends on the type of the prop. */
  readonly texts: ReadonlyMap<string, string>;
}

type Values = Readonly<Record<string, unknown>>;

export async function readPropOptions(session: Session, { props, prop = [] }: PropOptions): Promise<PropInput> {
  return {
    values: props === undefined ? {} : parseJsonObject(await contentOf(session, props), props),
    texts: new Map(prop.map(parseNameValue)),
  };
}

function parseJsonObject(text: string, path: string): Values {
  const origin = path === '-' ? 'What came on stdin' : path;
  const value = parseJson(text);
  if (value === undefined) throw usageFailure(`${origin} is not JSON.`);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw usageFailure(`${origin} is not an object of props.`, 'It looks like { "repository": "acme/site" }.');
  return value as Values;
}

function parseNameValue(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw usageFailure(`"${text}" is not a prop.`, 'It looks like --prop repository=acme/site.');
  return [text.slice(0, at), text.slice(at + 1)];
}

/** With the types that the component declares; undeclared props stay text. */
export function typedProps({ values, texts }: PropInput, definitions: readonly ConfigurableProp[]): Values {
  const types = new Map(definitions.map(({ name, type }) => [name, type]));
  const typed = [...texts].map(([name, text]) => [name, typedValue(text, types.get(name) ?? 'string')] as const);
  return { ...values, ...Object.fromEntries(typed) };
}

/** Text that does not fit its type stays text, which the service rejects with a reason. */
export function typedValue(text: string, type: string): unknown {
  if (type.endsWith('[]')) return typedList(text, type.slice(0, -2));
  if (type === 'integer' || type === 'number')
    return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  if (type === '$.interface.timer') return typedTimer(text);
  if (type === 'object' || type === 'any') return parseJson(text) ?? text;
  return text;
}

/** A JSON array, or items separated by commas. */
function typedList(text: string, type: string): unknown {
  const list = text.trimStart().startsWith('[') ? parseJson(text) : undefined;
  return list ?? text.split(',').map((item) => typedValue(item.trim(), type));
}

/** JSON, a number of seconds, or a cron expression. */
function typedTimer(text: string): unknown {
  if (/^\d+$/.test(text.trim())) return { intervalSeconds: Number(text) };
  return parseJson(text) ?? { cron: text };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
