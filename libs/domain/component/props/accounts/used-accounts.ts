// Finds the accounts that configured props name, by `{ "authProvisionId": "apn_..." }` as the value of an app prop.
import { isId } from '../../../id.ts';
import type { Json } from '../../../json.ts';
import type { Manifest } from '../../manifest.ts';

/** Undefined: the value names no account. */
export function accountIdOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { authProvisionId } = value as { readonly authProvisionId?: Json };
  return typeof authProvisionId === 'string' && isId('apn', authProvisionId) ? authProvisionId : undefined;
}

interface UsedAccount {
  /** The name of the app prop; `app` is the slug of its app, if the prop has one. */
  readonly prop: string;
  readonly app: string | undefined;
  readonly accountId: string;
}

export function usedAccounts(
  { props }: Pick<Manifest, 'props'>,
  values: { readonly [name: string]: unknown },
): readonly UsedAccount[] {
  return props.flatMap(({ name, type, app }) => {
    const accountId = type === 'app' && Object.hasOwn(values, name) ? accountIdOf(values[name]) : undefined;
    return accountId === undefined ? [] : [{ prop: name, app, accountId }];
  });
}

/** The ids of these accounts, each once. */
export const accountIdsOf = (
  manifest: Pick<Manifest, 'props'>,
  values: { readonly [name: string]: unknown },
): readonly string[] => [...new Set(usedAccounts(manifest, values).map(({ accountId }) => accountId))];
