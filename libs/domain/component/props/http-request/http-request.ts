// Props of type `http_request`: a request that a user configures and the component sends. It can hold credentials, so
// it is sealed as a whole.
import { isJsonObject, type Json } from '../../../json.ts';
import { mayBeSecret } from '../../../secrets/header-secrets.ts';
import type { CheckResult, PropType } from '../types/prop-type.ts';
import { readRequest, valueText } from './configured-request.ts';
import type { ConfiguredRequest, Field } from './configured-request.ts';

/** Names of parameters and fields that usually hold a secret. */
const secretName = /key|token|secret|pass|pwd|auth|sig|credential|session|code/i;

export const httpRequestProp: PropType = {
  sealed: true,
  check: (value, { default: fallback }) =>
    checkRequest(isJsonObject(value) && isJsonObject(fallback) ? { ...fallback, ...value } : value),
  checkUnset: ({ default: fallback = null, optional }) => {
    const checkedDefault: CheckResult =
      fallback === null ? { problem: 'is required (http_request)' } : checkRequest(fallback);
    return 'problem' in checkedDefault && optional === true ? { value: undefined } : checkedDefault;
  },
  secretsIn: (value) => {
    const read = readRequest(value);
    return 'request' in read ? secretsOf(read.request) : [];
  },
};

function checkRequest(value: Json): CheckResult {
  const read = readRequest(value);
  return 'problem' in read ? read : { value };
}

function secretsOf({ url, headers, params, body, auth }: ConfiguredRequest): readonly string[] {
  const query: readonly Field[] = [...new URL(url).searchParams].map(([name, value]) => ({ name, value }));
  const fields = body?.kind === 'fields' ? body.fields : [];
  const secretFields = [...query, ...params, ...fields].filter(({ name }) => secretName.test(name));
  const secretHeaders = headers.filter(({ name }) => mayBeSecret(name));
  const authSecrets = auth === null ? [] : auth.kind === 'bearer' ? [auth.token] : [auth.password, basicOf(auth)];
  return [...[...secretFields, ...secretHeaders].map(valueText), ...authSecrets];
}

/** The text that is sent as base64; masking also finds its base64 form. */
const basicOf = ({ username, password }: { readonly username: string; readonly password: string }): string =>
  `${username}:${password}`;
