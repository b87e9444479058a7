// Draws values from a JSON Schema; now and then a part of a value is replaced by something else.
import fc from 'fast-check';
import { hostileTexts, hostileValues } from './hostile.ts';

/** The part of JSON Schema that the documents use. */
export interface Drawable {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Drawable>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Drawable | boolean;
  readonly items?: Drawable;
  readonly oneOf?: readonly Drawable[];
  readonly anyOf?: readonly Drawable[];
  readonly allOf?: readonly Drawable[];
  readonly nullable?: boolean;
}

export interface DrawContext {
  /** The schemas that a `$ref` names. */
  readonly shapes: ReadonlyMap<string, Drawable>;
  /** Ids and other texts that have a meaning to the product. */
  readonly known: readonly string[];
}

/** Percentage of parts that match the schema. */
const conformingPercent = 92;
const depthMax = 8;

export class FromSchema {
  readonly #context: DrawContext;

  constructor(context: DrawContext) {
    this.#context = context;
  }

  draw(schema: Drawable, depth = 0): fc.Arbitrary<unknown> {
    if (depth > depthMax) return fc.constant(null);
    return fc.oneof(
      { weight: conformingPercent, arbitrary: this.#conforming(schema, depth) },
      { weight: 100 - conformingPercent, arbitrary: hostileValues },
    );
  }

  #conforming(schema: Drawable, depth: number): fc.Arbitrary<unknown> {
    if (schema.$ref !== undefined) return this.#referenced(schema.$ref, depth);
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
    const choices = schema.oneOf ?? schema.anyOf;
    if (choices !== undefined) return fc.oneof(...choices.map((choice) => this.draw(choice, depth + 1)));
    if (schema.allOf !== undefined) return this.#allOf(schema.allOf, depth);
    const types = typeof schema.type === 'string' ? [schema.type] : schema.type;
    if (types === undefined) return hostileValues;
    return fc.oneof(...types.map((type) => this.#ofType(type, schema, depth)));
  }

  #referenced(reference: string, depth: number): fc.Arbitrary<unknown> {
    const shape = this.#context.shapes.get(reference.slice(reference.lastIndexOf('/') + 1));
    return shape === undefined ? hostileValues : this.draw(shape, depth + 1);
  }

  #allOf(parts: readonly Drawable[], depth: number): fc.Arbitrary<unknown> {
    return fc
      .tuple(...parts.map((part) => this.draw(part, depth + 1)))
      .map((drawn) => (drawn.length === 1 ? drawn[0] : Object.assign({}, ...(drawn as object[]))));
  }

  #ofType(type: string, schema: Drawable, depth: number): fc.Arbitrary<unknown> {
    switch (type) {
      case 'string':
        return fc.oneof({ weight: 3, arbitrary: fc.constantFrom('', ...this.#context.known) }, hostileTexts);
      case 'integer':
        return fc.oneof(fc.nat(10), fc.maxSafeInteger());
      case 'number':
        return fc.oneof(fc.nat(10), fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true }));
      case 'boolean':
        return fc.boolean();
      case 'array':
        return fc.array(this.draw(schema.items ?? {}, depth + 1), { maxLength: 4 });
      case 'object':
        return this.#object(schema, depth);
      default:
        return fc.constant(null);
    }
  }

  #object({ properties, required = [], additionalProperties }: Drawable, depth: number): fc.Arbitrary<unknown> {
    if (properties === undefined) {
      const values =
        typeof additionalProperties === 'object' ? this.draw(additionalProperties, depth + 1) : hostileValues;
      return fc.dictionary(fc.oneof(fc.constantFrom('a', ...this.#context.known), hostileTexts), values, {
        maxKeys: 4,
        noNullPrototype: true,
      });
    }
    const parts = Object.entries(properties).map(([name, part]) => [name, this.draw(part, depth + 1)] as const);
    const requiredKeys = required.filter((name) => Object.hasOwn(properties, name));
    return fc.oneof(
      {
        weight: conformingPercent,
        arbitrary: fc.record(Object.fromEntries(parts), { requiredKeys, noNullPrototype: true }),
      },
      {
        weight: 100 - conformingPercent,
        arbitrary: fc.record(Object.fromEntries(parts), { requiredKeys: [], noNullPrototype: true }),
      },
    );
  }
}
