import { PublishDto } from '../../rest/sources/channel/publish.dto.ts';
import { CreateWebhookDto } from '../../rest/webhooks/webhooks.dto.ts';
import { DeploySourceDto } from '../../rest/sources/sources.dto.ts';
import { ApiProblem } from '../api-problem.ts';
import { readJson } from '../json/json-text.ts';
import { readInput } from './input.ts';
import type { InputClass } from './input.ts';
import { processorMs } from '../../../../primitives/processor-ms.fake.ts';

const url = 'https://example.com/';

function refusal(dto: InputClass<object>, query: unknown, body?: unknown): ApiProblem {
  try {
    readInput(dto, query, body);
  } catch (error) {
    if (error instanceof ApiProblem) return error;
    throw error;
  }
  throw new Error('accepted');
}

const fields = ({ details }: ApiProblem): readonly unknown[] =>
  (details as { problems: readonly { field: string }[] }).problems.map(({ field }) => field);

test.each(['constructor', 'toString', 'hasOwnProperty', 'valueOf', 'prototype', 'nope', 'queryForms'])(
  'refuses a parameter named %s like any other unknown one',
  (name) => {
    const problems = [{ field: name, message: `${name} is not a parameter of this request` }];
    for (const given of [
      { url, [name]: 1 },
      { url, [name]: { prototype: 1 } },
    ]) {
      expect(refusal(CreateWebhookDto, {}, given)).toMatchObject({
        status: 400,
        message: `${name} is not a parameter of this request.`,
        details: { problems },
      });
    }
    expect(refusal(CreateWebhookDto, { url, [name]: 'x' }).details).toEqual({ problems });
  },
);

test('reports invalid and unknown parameters together', () => {
  expect(fields(refusal(CreateWebhookDto, {}, { url: 1, constructor: 2, name: 3 }))).toEqual(
    expect.arrayContaining(['url', 'name', 'constructor']),
  );
});

test('names only 20 of thousands of unknown parameters, and counts the others', () => {
  const body = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`${'n'.repeat(200)}${at}`, 1]));
  const refused = (): ReturnType<typeof refusal> => refusal(CreateWebhookDto, {}, { url, ...body });
  expect(processorMs(refused)).toBeLessThan(1_000);
  const problem = refused();
  expect(fields(problem)).toHaveLength(20);
  expect(problem.message).toMatch(/ And 9980 more\.$/);
  expect(JSON.stringify(problem.body()).length).toBeLessThan(10_000);
});

test.each([
  ['nested deeper than 64 levels', '{"a":'.repeat(4_000) + '1' + '}'.repeat(4_000)],
  ['nested deeper than 64 levels', `{"a":${'['.repeat(63)}${']'.repeat(63)}}`],
  ['occurs twice in one object', '{"a":1,"a":2}'],
  ['__proto__ is not allowed', '{"a":{"__proto__":1}}'],
  ['holds the character NUL', '{"a":"\\u0000"}'],
  ['not well-formed Unicode', '{"a":"\\ud800"}'],
])('refuses configured_props in the query string for the same reasons as in a body: %s', (why, text) => {
  const inQuery = refusal(DeploySourceDto, { component_code: 'x', configured_props: text });
  const body = readJson(`{"component_code":"x","configured_props":${text}}`);
  expect(body).toMatchObject({ fault: { why: expect.stringContaining(why), field: 'configured_props' } });
  expect([inQuery.status, inQuery.message, fields(inQuery)]).toEqual([
    400,
    expect.stringContaining(why),
    ['configured_props'],
  ]);
});

test('accepts props in the query string that are accepted in a body', () => {
  const props = `{"a":${'['.repeat(62)}${']'.repeat(62)}}`;
  const { configured_props: read } = readInput(DeploySourceDto, { component_code: 'x', configured_props: props }, null);
  expect(JSON.stringify(read)).toBe(props);
  expect(readJson(`{"component_code":"x","configured_props":${props}}`)).toHaveProperty('value');
});

test.each([
  [{ '\0': 'x' }, 'a name holds the character NUL'],
  [{ '\ud800': 'x' }, 'a name is not well-formed Unicode'],
  [JSON.parse('{"__proto__":"x"}') as object, 'the name __proto__ is not allowed'],
  [{ url: 'a\0' }, 'url holds the character NUL'],
  [{ name: '\udc00' }, 'name is not well-formed Unicode'],
  [{ url: [url, url] }, 'url is given more than once'],
])('refuses the query %j', (query, why) => {
  expect(refusal(CreateWebhookDto, query).message).toContain(why);
});

test('names the parameter that holds invalid JSON', () => {
  const problem = refusal(DeploySourceDto, { component_code: 'x', configured_props: '{' });
  expect([problem.message, fields(problem)]).toEqual(['configured_props must be an object.', ['configured_props']]);
});

test('passes parameters without rules unchanged and still checks the others', () => {
  const event = { id: { any: 1 }, event: [null], name: null };
  expect(readInput(PublishDto, {}, event)).toEqual(event);
  expect(fields(refusal(PublishDto, {}, { ...event, include: 5 }))).toEqual(['include']);
  expect(fields(refusal(PublishDto, { exclude: 'x'.repeat(1_001) }, event))).toEqual(['exclude']);
  expect(fields(refusal(PublishDto, {}, { ...event, other: 1 }))).toEqual(['other']);
});
