// Chooses the versions of records about sources: a higher one if an older program would misread the record.
import { accountIdsOf } from '../component/props/accounts/used-accounts.ts';
import type { Decided } from '../message.ts';
import type { SourceDefinition } from './definition/messages.ts';
import type { Manifest } from '../component/manifest.ts';
import type { SourceCommand, SourceEvent } from './messages.ts';
import type { SourceSettings } from './source-settings.ts';

const firstVersion = 1;
const updatesVersion = 2;
/** An older program would run the empty code of a channel. */
const channelsVersion = 5;
/** An older program would refuse props of these types, or give the component something else. */
const newPropsVersion = 7;
const newPropTypes: ReadonlySet<string> = new Set(['$.interface.apphook', 'http_request']);
/** An older program would let hooks emit that must not. */
const mutedHooksVersion = 7;
/** An older program would build only the entry file, with the packages' current versions, and keep the result. */
const programFilesVersion = 7;

/** An older program would build the component again, with the registry's current versions. */
export const bundlesVersion = 7;

/** Whether a program has more than its code. */
const hasFiles = (data: object): boolean => 'entry' in data || 'files' in data || 'lock' in data;

export const versionOfFiles = (data: object): number => (hasFiles(data) ? programFilesVersion : firstVersion);
/** An older program would run it without the values of the props that `additionalProps` has added. */
const dynamicPropsVersion = 7;
/** An older program would run it without the credentials of its accounts, or forget that it uses them. */
const accountsVersion = 7;

const updateTypes: ReadonlySet<string> = new Set<SourceEvent['type']>([
  'SourceUpdating',
  'SourceSwapped',
  'SourceSwappedBack',
  'SourceUpdated',
  'SourceUpdateRefused',
]);

const deployTypes: ReadonlySet<string> = new Set<SourceEvent['type'] | SourceCommand['type']>([
  'DeploySource',
  'SourceDeploying',
]);

/** `data`: any event's. An update's `SourceConfigured` has no name, and a later refusal of a delete has a revision. */
export function versionOfSourceEvent({ type, data }: { readonly type: string; readonly data: object }): number {
  if (mutesHooks(data)) return mutedHooksVersion;
  if (hasNewPropTypes(data) || 'eventNames' in data) return newPropsVersion;
  if (hasFiles(data)) return programFilesVersion;
  if ('bundle' in data) return bundlesVersion;
  if (updateTypes.has(type)) return updatesVersion;
  if (deployTypes.has(type) && 'kind' in data) return channelsVersion;
  if (type === 'SourceDeploying') return 'settings' in data ? updatesVersion : firstVersion;
  if (type === 'SourceConfigured' && hasDynamicProps(data)) return dynamicPropsVersion;
  if (type === 'SourceConfigured' && usesAccounts(data as Configured)) return accountsVersion;
  if (type === 'SourceConfigured') return 'name' in data ? firstVersion : updatesVersion;
  return type === 'SourceDeleteRefused' && 'revision' in data ? updatesVersion : firstVersion;
}

const hasDynamicProps = ({ manifest }: { readonly manifest?: Manifest }): boolean =>
  manifest?.props.some(({ dynamic }) => dynamic === true) === true;
type Configured = Extract<SourceEvent, { readonly type: 'SourceConfigured' }>['data'];

const usesAccounts = ({ manifest, props }: Configured): boolean => accountIdsOf(manifest, props).length > 0;

/** The first version, unless the definition has a field that earlier versions do not know. */
export function versionOfDefinition({ data }: Decided<SourceDefinition>): number {
  const { active = true, codeRevision, lastRevision, ignoreHookErrors, update, settings, kind, apphook } = data;
  if (mutesHooks(data) || mutesHooks(update ?? {})) return mutedHooksVersion;
  if (data.accounts !== undefined || update?.other?.accounts !== undefined) return accountsVersion;
  if ((apphook ?? update?.other?.apphook ?? null) !== null) return newPropsVersion;
  if (kind !== undefined) return channelsVersion;
  const addedFields = [codeRevision, lastRevision, ignoreHookErrors, update, settings];
  return active && addedFields.every((field) => field === undefined) ? firstVersion : updatesVersion;
}

const mutesHooks = ({ settings }: { readonly settings?: SourceSettings }): boolean => settings?.emitOnDeploy === false;

const hasNewPropTypes = ({ manifest }: { readonly manifest?: Pick<Manifest, 'props'> }): boolean =>
  manifest?.props.some(({ type }) => newPropTypes.has(type)) === true;
