import type { Client, ConfigurableProp } from '../../../libs/client/index.ts';
import { ApiError } from '../../../libs/client/index.ts';
import type { Session } from '../session/session.ts';
import type { Code } from './code.ts';
import { deployWithProps } from './deploy-with-props.ts';

const configurable_props = [
  { name: 'gh', type: 'app', app: 'github' },
  { name: 'n', type: 'integer' },
] as const satisfies readonly ConfigurableProp[];

const client = {
  propsFor: async () => ({ dynamic_props: { configurable_props } }),
} as unknown as Client;

const refusalOf = (field: string, message: string): ApiError =>
  new ApiError(message, { status: 400, code: 'props_invalid', details: { problems: [{ field, message }] } });

/** The failure of a deploy that the service refuses, if nobody can be asked. */
function refusedFor(field: string, message: string): Promise<unknown> {
  const refusal = refusalOf(field, message);
  const input = { code: { component_code: '' }, propInput: { values: {}, texts: new Map<string, string>() } };
  return deployWithProps({ canAsk: false } as Session, client, input, () => Promise.reject(refusal));
}

test('the hint shows how to give the refused prop', async () => {
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

test('a value gets the type that the service declares for its prop, and nothing is saved to find it', async () => {
  const requests: unknown[] = [];
  const checked = ({ configured_props: props }: { readonly configured_props?: { readonly n?: unknown } }): void => {
    if (typeof props?.n === 'string') throw refusalOf('n', 'Prop "n" must be an integer.');
  };
  const service = {
    propsFor: async (request: object) => {
      requests.push(request);
      checked(request);
      return { dynamic_props: { configurable_props } };
    },
  } as unknown as Client;
  const deploy = async (configured_props: object): Promise<never> => {
    checked({ configured_props });
    return configured_props as never;
  };
  const texts = new Map([
    ['gh', 'apn_1'],
    ['n', '5'],
  ]);
  const deployed = (code: Code): Promise<unknown> =>
    deployWithProps({ canAsk: false } as Session, service, { code, propInput: { values: {}, texts } }, deploy);
  for (const code of [{ component_code: 'x' }, { key: 'acme' }])
    expect(await deployed(code)).toEqual({ gh: 'apn_1', n: 5 });
  expect(requests.slice(0, 2)).toEqual([
    { component_code: 'x', configured_props: { gh: 'apn_1', n: '5' } },
    { component_code: 'x', configured_props: { gh: 'apn_1' } },
  ]);
});
