// Rewrites how the OpenAPI document allows null, so that strict readers understand it.
import type { OpenAPIObject } from '@nestjs/swagger';

type Node = Record<string, unknown>;

const schemasPath = '#/components/schemas/';

/**
 * Changes `document` in place. In OpenAPI 3.0.3, `nullable` adds null to the `type` next to it and changes nothing
 * else: null must be in the `enum`, too, and be allowed by the schema of an `allOf`. So a schema that is referred to
 * with `nullable` becomes nullable itself; each schema is used like this everywhere or nowhere.
 */
export function allowNulls(document: OpenAPIObject): void {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Node>;
  for (const node of nodesOf(document)) {
    dropEmptyChoice(node);
    if (node['nullable'] !== true) continue;
    const { type, enum: known, allOf } = node;
    if (Array.isArray(known) && !known.includes(null)) node['enum'] = [...(known as unknown[]), null];
    if (Array.isArray(allOf)) for (const part of allOf as Node[]) allowNullIn(schemas, part);
    if (type === undefined) allowNullInChoice(node);
  }
}

/** Every object in the value, collected first, so that a caller can change them. */
function nodesOf(value: unknown): readonly Node[] {
  if (Array.isArray(value)) return value.flatMap(nodesOf);
  if (typeof value !== 'object' || value === null) return [];
  return [value as Node, ...Object.values(value).flatMap(nodesOf)];
}

/** Removes a choice with an empty schema, which accepts everything including null and so states nothing. */
function dropEmptyChoice(node: Node): void {
  const { anyOf } = node;
  if (!Array.isArray(anyOf) || !anyOf.some((choice) => Object.keys(choice as Node).length === 0)) return;
  delete node['anyOf'];
  delete node['nullable'];
}

function allowNullIn(schemas: Record<string, Node>, { $ref }: Node): void {
  const name = String($ref).replace(schemasPath, '');
  const target = schemas[name];
  if (target === undefined || target['nullable'] === true) return;
  target['nullable'] = true;
  nameObjects(schemas, name, target);
}

/** Generated clients can contain a nullable schema twice: an unnamed object in it would clash with itself. */
function nameObjects(schemas: Record<string, Node>, name: string, { properties }: Node): void {
  const fields = (properties ?? {}) as Record<string, Node>;
  for (const [field, schema] of Object.entries(fields)) {
    if (schema['type'] !== 'object' || schema['allOf'] !== undefined) continue;
    const named = `${name}${field.charAt(0).toUpperCase()}${field.slice(1)}`;
    schemas[named] = schema;
    fields[field] = { $ref: `${schemasPath}${named}` };
  }
}

/** Without a type, the first of the choices becomes nullable. */
function allowNullInChoice(node: Node): void {
  const name = node['oneOf'] === undefined ? 'anyOf' : 'oneOf';
  const [first, ...others] = (node[name] ?? []) as Node[];
  if (first === undefined) return;
  node[name] = [{ ...first, nullable: true }, ...others];
  delete node['nullable'];
}
