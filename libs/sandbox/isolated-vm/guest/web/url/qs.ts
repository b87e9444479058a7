// What the `url` package takes for queries: its own options, which node:querystring does not know, are left out.
import { parse as parseAll, stringify as stringifyAll } from '../querystring.ts';

export const parse = (text: unknown): object => parseAll(text);
export const stringify = (values: unknown): string => stringifyAll(values);
export default { parse, stringify };
