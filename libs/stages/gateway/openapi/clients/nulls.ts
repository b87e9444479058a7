// Allows null in the OpenAPI document in the way that strict readers of it understand.
import type { OpenAPIObject } from '@nestjs/swagger';

type Node = Record<string, unknown>;

const schemasPath = '#/components/schemas/';

/**
 * Changes `document` in place. Of OpenAPI 3.0.3, `nullable` adds null to the `type` beside it and takes nothing else
 * away: a null must be in the `enum` too, and be allowed by the schema of an `allOf`. So a schema that is referred to
 * with `nullable` becomes nullable itself; each is used in this way everywhere, or nowhere.
 */
export function allowNulls(document: OpenAPIObject): void {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Node>;
  for (const node of nodesOf(document)) {
    dropEmptyChoice(node);
    if (node['nullable'] !== true) continue;
    const { type, enum: known, allOf } = node;
    if (Array.isArray(known) && !known.includes(null)) node['enum'] = [...(known as unknown[]), null];
    if (Array.isArray(allOf)) for (const part of allOf as Node[]) allowIn(schemas, part);
    if (type === undefined) allowInChoice(node);
  }
}

/** Every object in it, collected first, so that a caller may change them. */
function nodesOf(value: unknown): readonly Node[] {
  if (Array.isArray(value)) return value.flatMap(nodesOf);
  if (typeof value !== 'object' || value === null) return [];
  return [value as Node, ...Object.values(value).flatMap(nodesOf)];
}

/** A choice that takes everything is none, and says nothing; an empty schema takes null too. */
function dropEmptyChoice(node: Node): void {
  const { anyOf } = node;
  if (!Array.isArray(anyOf) || !anyOf.some((choice) => Object.keys(choice as Node).length === 0)) return;
  delete node['anyOf'];
  delete node['nullable'];
}

function allowIn(schemas: Record<string, Node>, { $ref }: Node): void {
  const name = String($ref).replace(schemasPath, '');
  const target = schemas[name];
  if (target === undefined || target['nullable'] === true) return;
  target['nullable'] = true;
  nameObjects(schemas, name, target);
}

/** A generated client may have what takes null twice: an object in it without a name would clash with itself there. */
function nameObjects(schemas: Record<string, Node>, name: string, { properties }: Node): void {
  const fields = (properties ?? {}) as Record<string, Node>;
  for (const [field, schema] of Object.entries(fields)) {
    if (schema['type'] !== 'object' || schema['allOf'] !== undefined) continue;
    const named = `${name}${field.charAt(0).toUpperCase()}${field.slice(1)}`;
    schemas[named] = schema;
    fields[field] = { $ref: `${schemasPath}${named}` };
  }
}

/** Without a type, the first of its choices takes the null. */
function allowInChoice(node: Node): void {
  const name = node['oneOf'] === undefined ? 'anyOf' : 'oneOf';
  const [first, ...others] = (node[name] ?? []) as Node[];
  if (first === undefined) return;
  node[name] = [{ ...first, nullable: true }, ...others];
  delete node['nullable'];
}
