// Which accounts configured props name: `{ "authProvisionId": "apn_..." }` as the value of an app prop.
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
  /** The app prop, and the slug of its app, if it says one. */
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

/** Each once. */
export const accountIdsOf = (
  manifest: Pick<Manifest, 'props'>,
  values: { readonly [name: string]: unknown },
): readonly string[] => [...new Set(usedAccounts(manifest, values).map(({ accountId }) => accountId))];
