// Removes defaults from the OpenAPI document that would have an effect when sent: some generated clients send them all.
import type { OpenAPIObject } from '@nestjs/swagger';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type Operation = NonNullable<OpenAPIObject['paths'][string]['put']>;
type SchemaObject = Exclude<Schemas[string], { readonly $ref: string }>;
interface Defaulted {
  default?: unknown;
}

/**
 * Changes `document` in place. A parameter in the query string that is also a field of the body gets no default: if the
 * body has a value, it would be there twice. The body of a `PUT` has none either: a field that is absent there stays
 * unchanged. A default of a nullable enum moves to its description, since clients in Go do not compile with it.
 */
export function dropSentDefaults({ paths, components }: OpenAPIObject): void {
  const schemas = components?.schemas ?? {};
  for (const { post, put, delete: remove } of Object.values(paths)) {
    for (const operation of [post, put, remove]) if (operation?.requestBody !== undefined) dropQueryDefaults(operation);
    if (put !== undefined) dropBodyDefaults(put, schemas);
  }
  for (const schema of Object.values(schemas)) if (!('$ref' in schema)) describeEnumDefaults(schema);
}

/** The parameters share the schemas with the body's fields, so these are copied. */
function dropQueryDefaults(operation: Operation): void {
  operation.parameters = (operation.parameters ?? []).map((parameter) => {
    if (!('in' in parameter) || parameter.in !== 'query' || parameter.schema === undefined) return parameter;
    const { default: _, ...schema } = parameter.schema as Defaulted;
    return { ...parameter, schema };
  });
}

function dropBodyDefaults({ requestBody }: Operation, schemas: Schemas): void {
  if (requestBody === undefined || '$ref' in requestBody) return;
  const { $ref = '' } = (requestBody.content['application/json']?.schema ?? {}) as { readonly $ref?: string };
  const schema = schemas[$ref.replace('#/components/schemas/', '')];
  if (schema === undefined || '$ref' in schema) return;
  for (const property of Object.values(schema.properties ?? {})) delete (property as Defaulted).default;
}

function describeEnumDefaults({ properties = {} }: SchemaObject): void {
  for (const property of Object.values(properties)) {
    if ('$ref' in property || property.enum === undefined || property.nullable !== true) continue;
    const { default: defaultValue, description } = property;
    if (typeof defaultValue !== 'string') continue;
    property.description = [description, `Default: ${defaultValue}`].filter(Boolean).join('. ');
    delete property.default;
  }
}
