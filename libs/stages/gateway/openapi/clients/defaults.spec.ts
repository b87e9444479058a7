import { TestBed } from '../../test-bed.fake.ts';
import { schemaName } from '../schema-faults.fake.ts';
import type { OpenApi, Schema } from '../schema-faults.fake.ts';

let bed: TestBed;
let document: OpenApi;
beforeAll(async () => {
  bed = await TestBed.start();
  document = JSON.parse((await bed.send('GET', '/openapi.json')).text) as OpenApi;
});
afterAll(() => bed?.stop());

const named = (operationId: string) => {
  const all = Object.values(document.paths).flatMap((methods) => Object.entries(methods));
  const [method, operation] = all.find(([, one]) => one.operationId === operationId) ?? [];
  if (method === undefined || operation === undefined) throw new Error(`there is no operation ${operationId}`);
  return { method, ...operation };
};

const bodyOf = (operationId: string): Schema => {
  const { $ref = '' } = named(operationId).requestBody?.content['application/json']?.schema ?? {};
  return document.components.schemas[schemaName($ref)] ?? {};
};

const defaultsIn = ({ properties = {} }: Schema): readonly string[] =>
  Object.entries(properties).flatMap(([name, property]) => ('default' in property ? [name] : []));

test('gives no default to a query parameter that is also a field of the body', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const sent = operations
    .filter(({ requestBody }) => requestBody !== undefined)
    .flatMap(({ operationId, parameters = [] }) =>
      parameters.filter(({ schema }) => schema?.default !== undefined).map(({ name }) => `${operationId} ${name}`),
    );
  expect(sent).toEqual([]);
});

test.each(['updateWebhook', 'updateSource', 'updateSubscription', 'updateAccount', 'setRecord'])(
  'gives no default to a field of %s, which stays as it is without it',
  (operationId) => {
    expect([named(operationId).method, defaultsIn(bodyOf(operationId))]).toEqual(['put', []]);
  },
);

test('gives no default to a field of a deploy that a channel does not have', () => {
  expect(defaultsIn(bodyOf('deploySource'))).toEqual([]);
});

test('keeps the defaults of what is created, and of lists', () => {
  expect(defaultsIn(bodyOf('createWebhook'))).toEqual(['ordered', 'timeout_ms']);
  expect(named('listWebhooks').parameters?.find(({ name }) => name === 'limit')?.schema?.default).toBe(10);
});

test('moves the default of a nullable enum to its description, since clients in Go do not compile with it', () => {
  const { on_exhausted, signature } = bodyOf('createWebhook').properties ?? {};
  expect([on_exhausted, signature]).toEqual([
    expect.objectContaining({ enum: ['park', 'block', null], description: expect.stringMatching(/\. Default: park$/) }),
    expect.objectContaining({ description: expect.stringMatching(/\. Default: hmac-sha256$/) }),
  ]);
});

test('names no record as the constructor of another in Go', () => {
  const names = Object.keys(document.components.schemas);
  expect(names.filter((name) => names.includes(`New${name}`))).toEqual([]);
});

test('has no sets and no choices within maps, with which clients in Java do not compile', () => {
  const text = JSON.stringify(document);
  expect(text).not.toContain('"uniqueItems"');
  expect(text).not.toMatch(/"additionalProperties":\{"(?:anyOf|oneOf)"/);
});
