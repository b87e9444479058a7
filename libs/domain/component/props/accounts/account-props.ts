// Checks that each app prop names an existing account of the workspace, for the prop's app.
import { accountIdOf } from './used-accounts.ts';
import type { JsonObject } from '../../../json.ts';
import type { Manifest, PropDefinition } from '../../manifest.ts';
import type { PropProblem } from '../prop-problem.ts';

/** The app of an account of the workspace; undefined: it has no such account. */
export type AppOf = (accountId: string) => string | undefined;

export function accountProblems(manifest: Manifest, values: JsonObject, appOf: AppOf): readonly PropProblem[] {
  return manifest.props.flatMap((prop) => {
    if (prop.type !== 'app') return [];
    const value = Object.hasOwn(values, prop.name) ? values[prop.name] : undefined;
    const problem = problemOf(prop, { accountId: accountIdOf(value), manifest, appOf });
    return problem === undefined ? [] : [{ prop: prop.name, message: `Prop ${JSON.stringify(prop.name)} ${problem}.` }];
  });
}

interface PropContext {
  readonly accountId: string | undefined;
  readonly manifest: Manifest;
  readonly appOf: AppOf;
}

function problemOf({ app, optional }: PropDefinition, { accountId, manifest, appOf }: PropContext): string | undefined {
  const appClause = app === undefined ? '' : ` of the app ${app}`;
  if (accountId === undefined) {
    if (optional === true || manifest.authFields === undefined) return undefined;
    return `needs an account${appClause}: connect one by POST /v1/accounts, and give {"authProvisionId": "apn_..."}`;
  }
  const accountApp = appOf(accountId);
  if (accountApp === undefined) return `names the account ${accountId}, which is not in this workspace`;
  if (app === undefined || accountApp === app) return undefined;
  return `needs an account${appClause}, and ${accountId} is one of the app ${accountApp}`;
}
