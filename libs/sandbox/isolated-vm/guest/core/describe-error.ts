// Describes any thrown value as three texts, with its causes in the stack, and never throws.
import { inspect } from 'node-inspect-extracted';
import { errorCharsMax } from '../../../../domain/sizes.ts';
import { isArray, objectToText, stringCharCodeAt, stringSlice, toText } from './primordials.ts';

export interface ErrorText {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
}

/** Twice what a run record keeps: the host masks secrets before it cuts, so no secret must arrive cut in half. */
const nameMax = 2 * errorCharsMax.name;
const messageMax = 2 * errorCharsMax.message;
const stackMax = 2 * errorCharsMax.stack;

/** How deep causes are shown, and how many errors of one AggregateError. */
const causesMax = 5;
const errorsMax = 10;
const newline = 0x0a;

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

/** Whether it is an Error object: a plain object with a stack is not. */
function isError(value: unknown): boolean {
  try {
    return objectToText(value) === '[object Error]';
  } catch {
    return false;
  }
}

function inspectValue(value: unknown): string {
  // Inspecting it would show its stack, which is reported separately.
  if (isError(value)) return 'an error whose text cannot be read';
  try {
    return inspect(value, { depth: 2, customInspect: false });
  } catch {
    return 'a value that cannot be shown';
  }
}

/** Whether the text is more than `[object …]`. */
const hasText = (text: string): boolean => text !== '' && stringSlice(text, 0, 8) !== '[object ';

/** A value without a text of its own is inspected, as by the console. */
function describeValue(value: unknown): string {
  try {
    const text = toText(value);
    return hasText(text) && !isArray(value) ? text : inspectValue(value);
  } catch {
    return inspectValue(value);
  }
}

function fieldOf(error: object, field: string): unknown {
  try {
    return (error as Record<string, unknown>)[field];
  } catch {
    return undefined;
  }
}

function textOf(error: object, field: string, limit: number): string | undefined {
  const value = fieldOf(error, field);
  try {
    return value === undefined || value === null ? undefined : stringSlice(toText(value), 0, limit);
  } catch {
    return undefined;
  }
}

/** Indents all lines but the first by two spaces. By index, because a component can replace methods of strings. */
function indent(text: string): string {
  let all = '';
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    if (stringCharCodeAt(text, at) !== newline) continue;
    all += `${stringSlice(text, from, at + 1)}  `;
    from = at + 1;
  }
  return all + stringSlice(text, from, text.length);
}

/** The error's causes, in Node's format, for the end of the stack. */
function causesOf(error: object, depth: number): string {
  if (depth >= causesMax) return '';
  const cause = fieldOf(error, 'cause');
  let text = cause === undefined ? '' : `\n  [cause]: ${indent(describeCause(cause, depth + 1))}`;
  const errors = fieldOf(error, 'errors');
  if (!isArray(errors)) return text;
  for (let at = 0; at < errors.length && at < errorsMax && text.length < stackMax; at++)
    text += `\n  [errors][${at}]: ${indent(describeCause(errors[at], depth + 1))}`;
  return text;
}

function describeCause(value: unknown, depth: number): string {
  if (!isObject(value)) return stringSlice(describeValue(value), 0, messageMax);
  const text = textOf(value, 'stack', stackMax) || stringSlice(describeValue(value), 0, messageMax);
  return text + causesOf(value, depth);
}

/** An object that is no Error is inspected as a whole, unless its message has a text. */
function messageOf(error: object): string {
  const message = fieldOf(error, 'message');
  if (!isError(error)) {
    const text = textOf(error, 'message', messageMax) ?? '';
    return hasText(text) ? text : describeValue(error);
  }
  return isObject(message) ? describeValue(message) : (textOf(error, 'message', messageMax) ?? describeValue(error));
}

export function describeError(error: unknown): ErrorText {
  if (!isObject(error)) {
    return { name: 'Error', message: stringSlice(describeValue(error), 0, messageMax), stack: '' };
  }
  const stack = textOf(error, 'stack', stackMax) ?? '';
  return {
    name: textOf(error, 'name', nameMax) || 'Error',
    message: stringSlice(messageOf(error), 0, messageMax),
    stack: stack && stringSlice(stack + causesOf(error, 0), 0, stackMax),
  };
}
