// Unseals the accounts that a run's props name: `$auth` for each app prop.
import { usedAccounts } from '../../../domain/component/props/accounts/used.ts';
import type { Manifest } from '../../../domain/component/manifest.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { collectSecrets } from '../../../domain/secrets/mask.ts';
import type { CheckedLog } from '../../loop/reading/checked-log.ts';
import type { Alerts } from '../../loop/alerts/alerts.ts';
import { isFormCall } from '../../../domain/call/call.ts';
import { propsRefused } from '../outcome/answered.ts';
import { refused } from '../outcome/finished.ts';
import type { Begun, Finished } from '../outcome/finished.ts';
import type { Vault } from '../source/vault.ts';
import type { FollowedAccounts, FollowedAccount } from './followed-accounts.ts';

export interface GivenAuth {
  /** Auth by the name of the app prop. */
  readonly props: { readonly [prop: string]: { readonly auth: JsonObject } };
  readonly secrets: readonly string[];
}

/** Why an invocation that needs an account does not begin. */
export interface NoAuth {
  /** `sealed`: the account's credentials cannot be unsealed. */
  readonly kind: 'gone' | 'of_another_app' | 'sealed';
  readonly prop: string;
  readonly accountId: string;
  readonly message: string;
}

export interface AuthOptions {
  readonly accounts: FollowedAccounts;
  readonly vault: Vault;
  readonly log: Pick<CheckedLog, 'read' | 'settledEnd'>;
}

type Used = ReturnType<typeof usedAccounts>[number];

const noAuth: GivenAuth = { props: {}, secrets: [] };

export class Auth {
  readonly #options: AuthOptions;
  /** Unsealed credentials, made once for each version of an account; the entry is dropped with it. */
  readonly #opened = new WeakMap<FollowedAccount, JsonObject>();

  constructor(options: AuthOptions) {
    this.#options = options;
  }

  /** False: `of` reads the log first. */
  isKnown(accountIds: readonly string[]): boolean {
    return accountIds.every((accountId) => this.#options.accounts.isKnown(accountId));
  }

  /**
   * `values`: configured or drafted values by prop name; an account is only for props of its own app. Returns a promise
   * only if an account is not known yet. Throws PortError and NewerRecordError.
   */
  of(manifest: Manifest, values: JsonObject, workspace: string): GivenAuth | NoAuth | Promise<GivenAuth | NoAuth> {
    const { accounts, log } = this.#options;
    const used = usedAccounts(manifest, values);
    if (used.length === 0) return noAuth;
    const ids = used.map(({ accountId }) => accountId);
    if (this.isKnown(ids)) return this.#given(used, workspace);
    return accounts.settle(log, ids).then(() => this.#given(used, workspace));
  }

  #given(used: readonly Used[], workspace: string): GivenAuth | NoAuth {
    const props: Record<string, { auth: JsonObject }> = {};
    const secrets: string[] = [];
    for (const one of used) {
      const auth = this.#authOf(one, workspace);
      if ('kind' in auth) return auth;
      props[one.prop] = auth;
      secrets.push(...collectSecrets(auth.auth));
    }
    return { props, secrets };
  }

  #authOf({ prop, app, accountId }: Used, workspace: string): { readonly auth: JsonObject } | NoAuth {
    const account = this.#options.accounts.get(accountId);
    const named = `The account ${accountId} of the prop ${JSON.stringify(prop)}`;
    const none = (kind: NoAuth['kind'], why: string): NoAuth => {
      return { kind, prop, accountId, message: `${named} ${why}` };
    };
    if (account?.workspace !== workspace)
      return none('gone', 'was deleted. Give the source another account, or delete the source.');
    if (app !== undefined && account.app !== app)
      return none('of_another_app', `is one of the app ${account.app}, not of ${app}. Name another account.`);
    const auth = this.#open(account);
    if (auth !== undefined) return { auth };
    const why = 'its credentials are damaged, or were sealed with another data key';
    return none('sealed', `cannot be opened: ${why}. Set them again by PUT /v1/accounts/${accountId}.`);
  }

  #open(account: FollowedAccount): JsonObject | undefined {
    const known = this.#opened.get(account);
    if (known !== undefined) return known;
    try {
      const auth = this.#options.vault.open(account.workspace, account.credentials) as JsonObject;
      this.#opened.set(account, auth);
      return auth;
    } catch {
      return undefined;
    }
  }
}

interface Input {
  readonly props: JsonObject;
  readonly secrets?: readonly string[];
}

export const withAuth = <I extends Input>(input: I, { props, secrets }: GivenAuth): I => ({
  ...input,
  props: { ...input.props, ...props },
  secrets: [...(input.secrets ?? []), ...secrets],
});

/** The end of an invocation that could not begin; the answer to a form names the wrong prop. */
export function refuseAuth(begun: Begun, { kind, prop, accountId, message }: NoAuth, alerts: Alerts): Finished {
  if (kind === 'sealed') alerts.raise('seal_does_not_open', accountId, message);
  if (isFormCall(begun.queued.kind)) return propsRefused(begun, [{ prop, message }]);
  return refused(begun, message, kind === 'sealed' ? 'SealedError' : 'AccountGoneError');
}
