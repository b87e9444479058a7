// URL with Node's errors, because packages look at their codes.
import { inspect } from 'node-inspect-extracted';
import { URL as StandardUrl } from 'whatwg-url';
import { construct } from '../../core/primordials.ts';

const missingArgumentError = (): TypeError =>
  Object.assign(new TypeError('The "url" argument must be specified'), { code: 'ERR_MISSING_ARGS' });

const invalidUrlError = (input: unknown, base?: unknown): TypeError =>
  Object.assign(new TypeError('Invalid URL'), {
    code: 'ERR_INVALID_URL',
    input: String(input),
    ...(base === undefined ? {} : { base: String(base) }),
  });

const isInvalid = (error: unknown): boolean => error instanceof TypeError && error.message.startsWith('Invalid ');

function withNodeErrors<T>(make: () => T, input: unknown, base?: unknown): T {
  try {
    return make();
  } catch (error) {
    throw isInvalid(error) ? invalidUrlError(input, base) : error;
  }
}

const { prototype } = StandardUrl;

function NodeUrl(this: unknown, ...args: readonly unknown[]): object {
  if (new.target === undefined) throw new TypeError("Class constructor URL cannot be invoked without 'new'");
  if (args.length === 0) throw missingArgumentError();
  return withNodeErrors(() => construct(StandardUrl, args, new.target), args[0], args[1]);
}

Object.defineProperties(NodeUrl, {
  ...Object.getOwnPropertyDescriptors(StandardUrl),
  name: { value: 'URL', configurable: true },
  prototype: { value: prototype, writable: false, enumerable: false, configurable: false },
});
Object.defineProperty(prototype, 'constructor', { value: NodeUrl, writable: true, configurable: true });

const href = Object.getOwnPropertyDescriptor(prototype, 'href');
Object.defineProperty(prototype, 'href', {
  ...href,
  set(this: URL, value: unknown) {
    withNodeErrors(() => href?.set?.call(this, value), value);
  },
});

const shownFields = 'href origin protocol username password host hostname port pathname search searchParams hash'.split(
  ' ',
);

Object.defineProperty(prototype, inspect.custom, {
  configurable: true,
  writable: true,
  value(this: Record<string, unknown>, depth: number, options: object): string {
    if (depth < 0) return String(this['href']);
    return `URL ${inspect(Object.fromEntries(shownFields.map((name) => [name, this[name]])), options)}`;
  },
});

export const NodeStyleUrl = NodeUrl as unknown as typeof StandardUrl;
