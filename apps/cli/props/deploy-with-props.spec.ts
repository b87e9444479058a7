import type { Client, ConfigurableProp } from '../../../libs/client/index.ts';
import { ApiError } from '../../../libs/client/index.ts';
import type { Session } from '../session/session.ts';
import { deployWithProps } from './deploy-with-props.ts';

const configurable_props = [
  { name: 'gh', type: 'app', app: 'github' },
  { name: 'n', type: 'integer' },
] as const satisfies readonly ConfigurableProp[];

const client = {
  propsFor: async () => ({ dynamic_props: { configurable_props } }),
} as unknown as Client;

/** The failure of a deploy that the service refuses, where nobody can be asked. */
function refusedFor(field: string, message: string): Promise<unknown> {
  const refusal = new ApiError(message, {
    status: 400,
    code: 'props_invalid',
    details: { problems: [{ field, message }] },
  });
  const input = { code: { component_code: '' }, given: { values: {}, texts: new Map<string, string>() } };
  return deployWithProps({ canAsk: false } as Session, client, input, () => Promise.reject(refusal));
}

test('the prop that was complained about is the one that is shown how to give', async () => {
  await expect(refusedFor('n', 'Prop "n" is required (integer).')).rejects.toMatchObject({
    message: 'Prop "n" is required (integer).',
    hint: 'Give props by --prop n=VALUE, or by --props FILE.',
  });
});

test('a missing account is to be connected by a command', async () => {
  const advice = 'connect one by POST /v1/accounts, and give {"authProvisionId": "apn_..."}';
  await expect(refusedFor('gh', `Prop "gh" needs an account of the app github: ${advice}.`)).rejects.toMatchObject({
    message: 'Prop "gh" needs an account of the app github.',
    hint: 'Connect an account by `pd accounts create github`, and give its id by --prop gh=apn_...',
  });
});
