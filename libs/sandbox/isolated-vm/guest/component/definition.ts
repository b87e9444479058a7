// Reads the fields of a component's definition, and relies on nothing else, because it is an object of the user's code.

export type Bag = Record<string, unknown>;

export const isBag = (value: unknown): value is Bag =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

export const bagOf = (value: unknown): Bag => (isBag(value) ? value : {});

export const isFunction = (value: unknown): value is (...args: unknown[]) => unknown => typeof value === 'function';

/** A prop's definition; a plain text is its type. */
export const propOf = (definition: unknown): Bag =>
  typeof definition === 'string' ? { type: definition } : bagOf(definition);

/** Whether there is a `sampleEmit` to emit. */
export const hasSample = (definition: Bag): boolean =>
  definition['sampleEmit'] !== undefined && definition['sampleEmit'] !== null;

let loaded: Bag = {};

export const component = (): Bag => loaded;

export const setComponent = (definition: Bag): void => {
  loaded = definition;
};
