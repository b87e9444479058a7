// Finds where a value differs from an OpenAPI schema: missing or undeclared fields, wrong types, values not in an enum.

export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
}

export type Schemas = Readonly<Record<string, Schema>>;

export const schemaName = ($ref: string): string => $ref.replace('#/components/schemas/', '');

/** Returns sentences that begin with the path of what differs; empty if nothing does. */
export function schemaFaults(schemas: Schemas, schema: Schema, value: unknown, path = '$'): readonly string[] {
  if (schema.$ref !== undefined) {
    const target = schemas[schemaName(schema.$ref)];
    return target === undefined
      ? [`${path}: ${schema.$ref} leads nowhere`]
      : schemaFaults(schemas, target, value, path);
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) {
    const fits = choices.some((choice) => schemaFaults(schemas, choice, value, path).length === 0);
    return fits ? [] : [`${path} fits none of its schemas`];
  }
  const inherited = (schema.allOf ?? []).flatMap((part) => schemaFaults(schemas, part, value, path));
  if (inherited.length > 0 || schema.allOf !== undefined) return inherited;
  if (schema.type === undefined) return [];
  if (value === null) return allowsNull(schema) ? [] : [`${path} is null`];
  if (typeOf(value) !== schema.type && !(schema.type === 'number' && typeOf(value) === 'integer')) {
    return [`${path} is of type ${typeOf(value)}, not ${schema.type}`];
  }
  return [...valueFaults(schema, value, path), ...innerFaults(schemas, schema, value, path)];
}

/** As in OpenAPI 3.0.3: `nullable` adds null to the type, and an enum without null still forbids it. */
const allowsNull = ({ nullable, enum: known }: Schema): boolean =>
  nullable === true && (known === undefined || known.includes(null));

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

function valueFaults({ enum: known, minimum, maximum }: Schema, value: unknown, path: string): readonly string[] {
  if (known !== undefined && !known.includes(value)) return [`${path} is ${String(value)}, not one of ${known.join()}`];
  const number = Number(value);
  return number < (minimum ?? number) || number > (maximum ?? number) ? [`${path} is out of bounds`] : [];
}

function innerFaults(schemas: Schemas, schema: Schema, value: unknown, path: string): readonly string[] {
  if (Array.isArray(value)) {
    const items = schema.items ?? {};
    if (Object.keys(items).length === 0) return [];
    return value.flatMap((item, at) => schemaFaults(schemas, items, item, `${path}[${at}]`));
  }
  if (typeof value !== 'object' || value === null) return [];
  const missing = (schema.required ?? []).filter((name) => !Object.hasOwn(value, name));
  const inner = Object.entries(value).flatMap(([name, field]) => {
    const declared = schema.properties?.[name] ?? schema.additionalProperties ?? false;
    if (typeof declared === 'boolean') return declared ? [] : [`${path}.${name} is not declared`];
    return schemaFaults(schemas, declared, field, `${path}.${name}`);
  });
  return [...missing.map((name) => `${path}.${name} is missing`), ...inner];
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema?: Schema & { readonly default?: unknown };
  readonly content?: Content;
}

interface Response {
  readonly description: string;
  readonly content?: Content;
  readonly headers?: Readonly<Record<string, unknown>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
  readonly security: readonly object[];
}

/** The parts of the document that tests read. */
export interface OpenApi {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Schemas; readonly securitySchemes: unknown };
}

export interface Route extends Operation {
  readonly method: string;
  readonly path: string;
}
