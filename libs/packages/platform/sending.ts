// The exports for sending that components of workflows use: the shapes of destinations, and globals of an older API.
import { ConfigurationError } from './configuration-error.ts';

export const HTTP_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;

type Fields = Readonly<Record<string, unknown>>;

export interface SendConfig {
  readonly name: string;
  /** Whether a destination of this kind accepts the value. */
  readonly is: (value: unknown) => boolean;
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Accepts objects whose fields `texts` are texts and for which `rest` returns true. */
function shape(name: string, texts: readonly string[], rest: (fields: Fields) => boolean = () => true): SendConfig {
  const is = (value: unknown): boolean =>
    isFields(value) && texts.every((field) => typeof value[field] === 'string') && rest(value);
  return Object.freeze({ name, is });
}

const isMethod = (method: unknown): boolean => HTTP_METHODS.some((known) => known === method);

export const SendConfigEmail = shape('SendConfigEmail', ['subject']);
export const SendConfigEmit = shape('SendConfigEmit', [], ({ raw_event: event }) => isFields(event));
export const SendConfigHTTP = shape('SendConfigHTTP', ['method', 'url'], ({ method }) => isMethod(method));
export const SendConfigS3 = shape('SendConfigS3', ['bucket', 'prefix'], ({ payload }) => payload !== undefined);
export const SendConfigSQL = shape('SendConfigSQL', ['table'], ({ payload }) => payload !== undefined);
export const SendConfigSnowflake = shape('SendConfigSnowflake', ['table'], ({ payload }) => payload !== undefined);
export const SendConfigSSE = shape('SendConfigSSE', ['channel'], ({ payload }) => payload !== undefined);

export const sendTypeMap = Object.freeze({
  email: SendConfigEmail,
  emit: SendConfigEmit,
  http: SendConfigHTTP,
  s3: SendConfigS3,
  snowflake: SendConfigSnowflake,
  sql: SendConfigSQL,
  sse: SendConfigSSE,
});

function throwUnsupported(name: string, instead: string): never {
  throw new ConfigurationError(`${name} of @pipedream/platform belongs to workflows of an older kind: ${instead}`);
}

const sender = (name: string) => (): never =>
  throwUnsupported(`$send.${name}`, `use $.send.${name} of an action's run`);

export const $send = Object.freeze(Object.fromEntries(Object.keys(sendTypeMap).map((name) => [name, sender(name)])));

export const $end = (): never => throwUnsupported('$end', "return from run, or use $.flow.exit of an action's run");

/** A workflow's event had this name; a component receives its event as the argument of `run`. */
export const $event = Object.freeze({});
