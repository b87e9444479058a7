// The query functions for the `url` package: drops its options, which node:querystring does not know.
import { parse as parseAll, stringify as stringifyAll } from '../querystring.ts';

export const parse = (text: unknown): object => parseAll(text);
export const stringify = (values: unknown): string => stringifyAll(values);
export default { parse, stringify };
