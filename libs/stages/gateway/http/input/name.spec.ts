import { CreateAccountDto, UpdateAccountDto } from '../../rest/accounts/accounts.dto.ts';
import { CreateApiKeyDto } from '../../rest/api-keys/api-keys.dto.ts';
import { CreateDataStoreDto } from '../../rest/data-stores/data-stores.dto.ts';
import { DeploySourceDto } from '../../rest/sources/sources.dto.ts';
import { UpdateSourceDto } from '../../rest/sources/update/update-source.dto.ts';
import { CreateWebhookDto, UpdateWebhookDto } from '../../rest/webhooks/webhooks.dto.ts';
import { ApiProblem } from '../api-problem.ts';
import { readInput } from './input.ts';
import type { InputClass } from './input.ts';

const account = { app: 'github', credentials: { token: 't' } };
const webhook = { url: 'https://example.com/' };

const named: [string, InputClass<object>, object][] = [
  ['a new source', DeploySourceDto, {}],
  ['a source', UpdateSourceDto, {}],
  ['a new webhook', CreateWebhookDto, webhook],
  ['a webhook', UpdateWebhookDto, {}],
  ['a data store', CreateDataStoreDto, {}],
  ['an API key', CreateApiKeyDto, {}],
  ['a new account', CreateAccountDto, account],
  ['an account', UpdateAccountDto, {}],
];

function problemsOf(dto: InputClass<object>, body: object): unknown {
  try {
    readInput(dto, {}, body);
    return undefined;
  } catch (error) {
    if (error instanceof ApiProblem) return (error.details as { problems: unknown }).problems;
    throw error;
  }
}

describe.each(named)('the name of %s', (_what, dto, others) => {
  test.each(['', '   ', '\t\n', '\u00a0\u3000', '\u200b\u2060', '\u0007', '\u3164', '\u2800', '\ufe0f'])(
    '%j, of which nothing is seen, is refused',
    (name) => {
      const problems = [{ field: 'name', message: 'name must have a character that is not blank' }];
      expect(problemsOf(dto, { ...others, name })).toEqual(problems);
    },
  );

  test.each(['a', ' a ', '0', '語', '👩‍💻', '\u202eb'])('%j is accepted', (name) => {
    expect(problemsOf(dto, { ...others, name })).toBeUndefined();
  });

  test('a number and a text that is too long are refused, each with its own message', () => {
    expect(problemsOf(dto, { ...others, name: 7 })).toEqual([{ field: 'name', message: 'name must be a string' }]);
    expect(problemsOf(dto, { ...others, name: 'n'.repeat(256) })).toMatchObject([
      { field: 'name', message: expect.stringMatching(/^name must be shorter than or equal to \d+ characters$/) },
    ]);
  });
});
