// Unseals the accounts that a run's props name: `$auth` for each app prop.
import { usedAccounts } from '../../../domain/component/props/accounts/used-accounts.ts';
import type { Manifest } from '../../../domain/component/manifest.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { collectSecrets } from '../../../domain/secrets/mask.ts';
import type { CheckedLog } from '../../loop/reading/checked-log.ts';
import type { Alerts } from '../../loop/alerts/alerts.ts';
import { isFormCall } from '../../../domain/call/call.ts';
import { propsRefusedResult } from '../outcome/form-call-result.ts';
import { refusedResult } from '../outcome/trigger-result.ts';
import type { Attempt, TriggerResult } from '../outcome/trigger-result.ts';
import type { Vault } from '../source/vault.ts';
import type { FollowedAccounts, FollowedAccount } from './followed-accounts.ts';

export interface ResolvedAuth {
  /** Auth by the name of the app prop. */
  readonly props: { readonly [prop: string]: { readonly auth: JsonObject } };
  readonly secrets: readonly string[];
}

/** Why an invocation that needs an account does not begin. */
export interface AuthRefusal {
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

type AccountUse = ReturnType<typeof usedAccounts>[number];

const emptyAuth: ResolvedAuth = { props: {}, secrets: [] };

export class Auth {
  readonly #options: AuthOptions;
  /** Unsealed credentials, made once for each version of an account; the entry is dropped with it. */
  readonly #unsealed = new WeakMap<FollowedAccount, JsonObject>();

  constructor(options: AuthOptions) {
    this.#options = options;
  }

  /** False: `resolve` reads the log first. */
  isKnown(accountIds: readonly string[]): boolean {
    return accountIds.every((accountId) => this.#options.accounts.isKnown(accountId));
  }

  /**
   * `values`: configured or drafted values by prop name; an account is only for props of its own app. Returns a promise
   * only if an account is not known yet. Throws PortError and NewerRecordError.
   */
  resolve(
    manifest: Manifest,
    values: JsonObject,
    workspace: string,
  ): ResolvedAuth | AuthRefusal | Promise<ResolvedAuth | AuthRefusal> {
    const { accounts, log } = this.#options;
    const uses = usedAccounts(manifest, values);
    if (uses.length === 0) return emptyAuth;
    const ids = uses.map(({ accountId }) => accountId);
    if (this.isKnown(ids)) return this.#resolveKnown(uses, workspace);
    return accounts.catchUp(log, ids).then(() => this.#resolveKnown(uses, workspace));
  }

  #resolveKnown(uses: readonly AccountUse[], workspace: string): ResolvedAuth | AuthRefusal {
    const props: Record<string, { auth: JsonObject }> = {};
    const secrets: string[] = [];
    for (const one of uses) {
      const auth = this.#authFor(one, workspace);
      if ('kind' in auth) return auth;
      props[one.prop] = auth;
      secrets.push(...collectSecrets(auth.auth));
    }
    return { props, secrets };
  }

  #authFor({ prop, app, accountId }: AccountUse, workspace: string): { readonly auth: JsonObject } | AuthRefusal {
    const account = this.#options.accounts.get(accountId);
    const subject = `The account ${accountId} of the prop ${JSON.stringify(prop)}`;
    const refuse = (kind: AuthRefusal['kind'], why: string): AuthRefusal => {
      return { kind, prop, accountId, message: `${subject} ${why}` };
    };
    if (account?.workspace !== workspace)
      return refuse('gone', 'was deleted. Give the source another account, or delete the source.');
    if (app !== undefined && account.app !== app)
      return refuse('of_another_app', `is one of the app ${account.app}, not of ${app}. Name another account.`);
    const auth = this.#unseal(account);
    if (auth !== undefined) return { auth };
    const why = 'its credentials are damaged, or were sealed with another data key';
    return refuse('sealed', `cannot be opened: ${why}. Set them again by PUT /v1/accounts/${accountId}.`);
  }

  #unseal(account: FollowedAccount): JsonObject | undefined {
    const known = this.#unsealed.get(account);
    if (known !== undefined) return known;
    try {
      const auth = this.#options.vault.open(account.workspace, account.credentials) as JsonObject;
      this.#unsealed.set(account, auth);
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

export const withAuth = <I extends Input>(input: I, { props, secrets }: ResolvedAuth): I => ({
  ...input,
  props: { ...input.props, ...props },
  secrets: [...(input.secrets ?? []), ...secrets],
});

/** The end of an invocation that could not begin; the answer to a form names the wrong prop. */
export function refuseAuth(
  attempt: Attempt,
  { kind, prop, accountId, message }: AuthRefusal,
  alerts: Alerts,
): TriggerResult {
  if (kind === 'sealed') alerts.raise('seal_does_not_open', accountId, message);
  if (isFormCall(attempt.queued.kind)) return propsRefusedResult(attempt, [{ prop, message }]);
  return refusedResult(attempt, message, kind === 'sealed' ? 'SealedError' : 'AccountGoneError');
}
