// The web's Headers: names in lower case, sorted; values checked for what HTTP allows.

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;

function nameOf(name: unknown): string {
  const text = String(name);
  if (!token.test(text)) throw new TypeError(`Header name must be a valid HTTP token [${JSON.stringify(text)}]`);
  return text.toLowerCase();
}

function valueOf(name: string, value: unknown): string {
  const text = String(value).replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '');
  // The message omits the value, which can be a secret.
  if (!fieldValue.test(text))
    throw new TypeError(`The value of header ${name} has characters that HTTP does not allow`);
  return text;
}

export type HeadersInit = Headers | Iterable<readonly [unknown, unknown]> | Record<string, unknown> | null | undefined;

export class Headers {
  readonly #fields = new Map<string, string[]>();

  constructor(init?: HeadersInit) {
    if (init === undefined || init === null) return;
    if (typeof init !== 'object') throw new TypeError('Headers must be made of an object or of pairs');
    if (Symbol.iterator in init) for (const [name, value] of init) this.append(name, value);
    else for (const name of Object.keys(init)) this.append(name, init[name]);
  }
  append(name: unknown, value: unknown): void {
    const key = nameOf(name);
    const text = valueOf(key, value);
    const values = this.#fields.get(key);
    if (values) values.push(text);
    else this.#fields.set(key, [text]);
  }
  set(name: unknown, value: unknown): void {
    const key = nameOf(name);
    this.#fields.set(key, [valueOf(key, value)]);
  }
  get(name: unknown): string | null {
    return this.#fields.get(nameOf(name))?.join(', ') ?? null;
  }
  has(name: unknown): boolean {
    return this.#fields.has(nameOf(name));
  }
  delete(name: unknown): void {
    this.#fields.delete(nameOf(name));
  }
  getSetCookie(): string[] {
    return [...(this.#fields.get('set-cookie') ?? [])];
  }
  forEach(callback: (value: string, name: string, headers: Headers) => void, self?: unknown): void {
    for (const [name, value] of this) callback.call(self, value, name, this);
  }
  *entries(): IterableIterator<[string, string]> {
    for (const [name, values] of [...this.#fields].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (name === 'set-cookie') for (const value of values) yield [name, value];
      else yield [name, values.join(', ')];
    }
  }
  *keys(): IterableIterator<string> {
    for (const [name] of this.entries()) yield name;
  }
  *values(): IterableIterator<string> {
    for (const [, value] of this.entries()) yield value;
  }
  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }
  get [Symbol.toStringTag](): string {
    return 'Headers';
  }
  /** The console shows only the names, because values can be credentials. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return `Headers { ${[...this.keys()].join(', ')} }`;
  }
}
