// Props of type `http_request`: a request that a user configures and the component sends. It can hold credentials, so
// it is sealed as a whole.
import { isJsonObject, type Json } from '../../../json.ts';
import { mayBeSecret } from '../../../secrets/header-secrets.ts';
import type { Checked, PropType } from '../types/prop-type.ts';
import { readRequest, textIn } from './configured-request.ts';
import type { ConfiguredRequest, Field } from './configured-request.ts';

/** Names of parameters and fields that usually hold a secret. */
const secretName = /key|token|secret|pass|pwd|auth|sig|credential|session|code/i;

export const httpRequestProp: PropType = {
  sealed: true,
  check: (value, { default: fallback }) =>
    checked(isJsonObject(value) && isJsonObject(fallback) ? { ...fallback, ...value } : value),
  unset: ({ default: fallback = null, optional }) => {
    const found: Checked = fallback === null ? { problem: 'is required (http_request)' } : checked(fallback);
    return 'problem' in found && optional === true ? { value: undefined } : found;
  },
  secretsIn: (value) => {
    const read = readRequest(value);
    return 'request' in read ? secretsOf(read.request) : [];
  },
};

function checked(value: Json): Checked {
  const read = readRequest(value);
  return 'problem' in read ? read : { value };
}

function secretsOf({ url, headers, params, body, auth }: ConfiguredRequest): readonly string[] {
  const query: readonly Field[] = [...new URL(url).searchParams].map(([name, value]) => ({ name, value }));
  const fields = body?.kind === 'fields' ? body.fields : [];
  const named = [...query, ...params, ...fields].filter(({ name }) => secretName.test(name));
  const sent = headers.filter(({ name }) => mayBeSecret(name));
  const own = auth === null ? [] : auth.kind === 'bearer' ? [auth.token] : [auth.password, basicOf(auth)];
  return [...[...named, ...sent].map(textIn), ...own];
}

/** The text that is sent as base64; masking also finds its base64 form. */
const basicOf = ({ username, password }: { readonly username: string; readonly password: string }): string =>
  `${username}:${password}`;
