import type { OpenAPIObject } from '@nestjs/swagger';
import { TestBed } from '../../test-bed.fake.ts';
import { schemaFaults } from '../schema-faults.fake.ts';
import type { OpenApi, Schema } from '../schema-faults.fake.ts';
import { allowNulls } from './nulls.ts';

let bed: TestBed;
let document: OpenApi;
beforeAll(async () => {
  bed = await TestBed.start();
  document = JSON.parse((await bed.send('GET', '/openapi.json')).text) as OpenApi;
});
afterAll(() => bed?.stop());

/** Every object in the document with its place. */
function nodesOf(value: unknown, at = '#'): readonly (readonly [string, Schema])[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([name, node]) => nodesOf(node, `${at}/${name}`));
  return [[at, value as Schema], ...inner];
}

test('allows null where the document says so, as strict readers of OpenAPI understand it', () => {
  const nullable = nodesOf(document).filter(([, schema]) => schema.nullable === true);
  expect(nullable.length).toBeGreaterThan(100);
  const { schemas } = document.components;
  const refused = nullable.filter(
    ([, schema]) => schema.type === undefined || schemaFaults(schemas, schema, null).length > 0,
  );
  expect(refused.map(([at]) => at)).toEqual([]);
});

test('refers to a nullable schema only where null is allowed', () => {
  const { schemas } = document.components;
  const nodes = nodesOf(document);
  const within = new Set(nodes.filter(([, { nullable }]) => nullable === true).map(([at]) => `${at}/allOf/0`));
  const bare = nodes.filter(
    ([at, { $ref }]) => $ref !== undefined && schemas[$ref.slice(21)]?.nullable === true && !within.has(at),
  );
  expect(bare.map(([at]) => at)).toEqual([]);
});

test('names every object within a nullable schema', () => {
  const { schemas } = document.components;
  const taking = Object.entries(schemas).filter(([, { nullable }]) => nullable === true);
  const bare = taking.flatMap(([name, { properties = {} }]) =>
    Object.entries(properties).flatMap(([field, { type }]) => (type === 'object' ? [`${name}.${field}`] : [])),
  );
  expect([taking.length > 0, bare]).toEqual([true, []]);
  expect(schemas['TransformedEvent']?.properties?.['headers']?.$ref).toBe(
    '#/components/schemas/TransformedEventHeaders',
  );
});

test('describes any JSON without a choice of types', () => {
  const { properties } = document.components.schemas['PublishedEvent'] ?? {};
  expect(properties?.['event']).toEqual({ description: 'Any JSON' });
  const values = [null, true, 1.5, 'text', [null], { a: {} }];
  expect(values.flatMap((value) => schemaFaults({}, properties?.['event'] ?? {}, value))).toEqual([]);
});

test('leaves schemas that are not nullable unchanged', () => {
  const schemas = { A: { type: 'object' }, B: { anyOf: [{ type: 'string' }, { type: 'number' }] } } as const;
  const input = { openapi: '3.0.0', info: { title: '', version: '' }, paths: {}, components: { schemas } };
  const before = structuredClone(input);
  allowNulls(input as unknown as OpenAPIObject);
  expect(input).toEqual(before);
});
