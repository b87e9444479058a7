// The operators that a filter can have instead of a value: `{ "prefix": "a" }`, `{ "numeric": [">", 0] }`, ...
import type { Json } from '../../json.ts';
import { isObject } from '../../shape/checks.ts';
import type { Scalar, Test } from './filter.ts';

/**
 * An operator with its operand, read. `test` says whether a value matches, `count` how many values it compares with.
 * `fault`: what is wrong with the operand, or with its member `of`.
 */
export type Operator =
  { readonly test: Test; readonly count: number } | { readonly fault: string; readonly of?: string | undefined };

export const isScalar = (value: unknown): value is Scalar =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value);

const isText = (value: Json): value is string => typeof value === 'string' && value !== '';

const singleTest = (test: Test): Operator => ({ test, count: 1 });

/** An operator whose operand is a non-empty text. */
const textOperator =
  (testOf: (text: string) => (value: string) => boolean) =>
  (operand: Json): Operator => {
    if (!isText(operand)) return { fault: 'must be a text of at least one character' };
    const test = testOf(operand);
    return singleTest((value) => typeof value === 'string' && test(value));
  };

const comparisons: Readonly<Record<string, (value: number, to: number) => boolean>> = {
  '=': (value, to) => value === to,
  '<': (value, to) => value < to,
  '<=': (value, to) => value <= to,
  '>': (value, to) => value > to,
  '>=': (value, to) => value >= to,
};

const numericForm = 'must be one or two comparisons, such as [">", 0, "<=", 5]: =, <, <=, > or >= and a number each';

function numeric(operand: Json): Operator {
  if (!Array.isArray(operand) || ![2, 4].includes(operand.length)) return { fault: numericForm };
  const tests: ((value: number) => boolean)[] = [];
  for (let i = 0; i < operand.length; i += 2) {
    const [sign, to] = operand.slice(i, i + 2) as [Json, Json];
    const compare = typeof sign === 'string' && Object.hasOwn(comparisons, sign) ? comparisons[sign] : undefined;
    if (compare === undefined || typeof to !== 'number') return { fault: numericForm };
    tests.push((value) => compare(value, to));
  }
  return { test: (value) => typeof value === 'number' && tests.every((test) => test(value)), count: tests.length };
}

const anythingButForm =
  'must be a value, a list of values that is not empty, or one of prefix, suffix and equals-ignore-case';

function anythingBut(operand: Json): Operator {
  if (isScalar(operand)) return singleTest((value) => value !== operand);
  if (Array.isArray(operand)) {
    if (operand.length === 0 || !operand.every(isScalar)) return { fault: anythingButForm };
    const unwanted = new Set<Scalar>(operand);
    return { test: (value) => !unwanted.has(value), count: operand.length };
  }
  const [name = '', ...more] = Object.keys(operand);
  if (more.length > 0 || !Object.hasOwn(textOperators, name)) return { fault: anythingButForm };
  const inner = textOperators[name as keyof typeof textOperators](
    (operand as { readonly [name: string]: Json })[name] ?? null,
  );
  return 'fault' in inner ? { ...inner, of: name } : singleTest((value) => !inner.test(value));
}

const textOperators = {
  prefix: textOperator((text) => (value) => value.startsWith(text)),
  suffix: textOperator((text) => (value) => value.endsWith(text)),
  'equals-ignore-case': textOperator((text) => {
    const lower = text.toLowerCase();
    // Lower case never has fewer characters, so a longer value cannot be equal and need not be converted.
    return (value) => value.length <= lower.length && value.toLowerCase() === lower;
  }),
};

const operators: Readonly<Record<string, (operand: Json) => Operator>> = {
  ...textOperators,
  numeric,
  'anything-but': anythingBut,
};

export const operatorNames: readonly string[] = [...Object.keys(operators), 'exists'];

/** Undefined: there is no such operator. `exists` is not included, because it does not test a value. */
export const operatorOf = (name: string, operand: Json): Operator | undefined =>
  Object.hasOwn(operators, name) ? operators[name]?.(operand) : undefined;

/** The only member of an object; undefined: it has none or several, or it is no object. */
export function onlyMember(value: Json): readonly [name: string, operand: Json] | undefined {
  if (!isObject(value)) return undefined;
  const [first, ...more] = Object.entries(value as { readonly [name: string]: Json });
  return more.length === 0 ? first : undefined;
}
