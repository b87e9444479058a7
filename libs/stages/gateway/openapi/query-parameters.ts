// Writes every operation's query parameters from the full schema of its input: the library would leave out enums.
import { applyDecorators } from '@nestjs/common';
import { ApiExtension, ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { InputClass } from '../http/input/input.ts';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type Schema = Schemas[string];
type ObjectSchema = Exclude<Schema, { readonly $ref: string }>;
type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Parameter = NonNullable<Operation['parameters']>[number];

/** Holds the path of the input's schema until `addQueryParameters` replaces it. */
const marker = 'x-query-parameters';
const schemasPath = '#/components/schemas/';
const bodyFieldNote = 'Instead of the field of the body.';

export const ApiQueryParameters = (input: InputClass<object>): MethodDecorator =>
  applyDecorators(ApiExtraModels(input), ApiExtension(marker, getSchemaPath(input)));

/**
 * Changes `document` in place. Fields that can also be in a body are never required in the query; write-only ones,
 * such as secrets, are left out.
 */
export function addQueryParameters(document: OpenAPIObject): void {
  const schemas = document.components?.schemas ?? {};
  const inputs = new Set<string>();
  for (const operation of operationsOf(document)) {
    const name = removeMarker(operation);
    if (name === undefined) continue;
    inputs.add(name);
    operation.parameters = [...(operation.parameters ?? []), ...parametersOf(schemas[name], operation)];
  }
  const text = JSON.stringify(document);
  for (const name of inputs) if (!text.includes(`"${schemasPath}${name}"`)) delete schemas[name];
}

const operationsOf = ({ paths }: OpenAPIObject): readonly Operation[] =>
  Object.values(paths).flatMap(({ get, post, put, patch, delete: remove }) =>
    [get, post, put, patch, remove].filter((operation) => operation !== undefined),
  );

function removeMarker(operation: Operation): string | undefined {
  const marked = operation as { [marker]?: string };
  const path = marked[marker];
  delete marked[marker];
  return path?.slice(schemasPath.length);
}

function parametersOf(schema: Schema | undefined, { requestBody }: Operation): readonly Parameter[] {
  const { properties = {}, required = [] } = (schema ?? {}) as ObjectSchema;
  const shown = Object.entries(properties).filter(([, property]) => (property as ObjectSchema).writeOnly !== true);
  return shown.map(([name, property]) => {
    const { description, ...value } = property as ObjectSchema;
    const fullDescription =
      requestBody === undefined ? description : [bodyFieldNote, description].filter(Boolean).join(' ');
    return {
      name,
      in: 'query' as const,
      required: requestBody === undefined && required.includes(name),
      ...(fullDescription === undefined ? {} : { description: fullDescription }),
      ...serialisationOf(value),
    };
  });
}

/** The form that `parseQueryText` reads: a list is separated by commas, an object is JSON text. */
function serialisationOf(schema: ObjectSchema): Partial<Parameter> {
  if (schema.type === 'object') return { content: { 'application/json': { schema } } };
  if (schema.type === 'array') return { style: 'form', explode: false, schema };
  return { schema };
}
