// Props of type `app`: they name an account, `{ "authProvisionId": "apn_..." }`; which one is checked in `../accounts/account-props.ts`.
import { isId } from '../../../id.ts';
import { accountIdOf } from '../accounts/used-accounts.ts';
import { mustBe } from './prop-type.ts';
import type { PropType } from './prop-type.ts';

export const appProp: PropType = {
  check: (value) => {
    const accountId = typeof value === 'string' && isId('apn', value) ? value : accountIdOf(value);
    if (accountId !== undefined) return { value: { authProvisionId: accountId } };
    return typeof value === 'object'
      ? { problem: 'must be {"authProvisionId": "apn_..."}, with the id of an account' }
      : mustBe('{"authProvisionId": "apn_..."}, with the id of an account', value);
  },
  checkUnset: () => ({ value: undefined }),
};
