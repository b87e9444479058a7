// Chooses the versions of records about sources: a higher one if an older program would misread the record.
import { accountIdsOf } from '../component/props/accounts/used.ts';
import type { Decided } from '../message.ts';
import type { SourceDefinition } from './definition/messages.ts';
import type { Manifest } from '../component/manifest.ts';
import type { SourceCommand, SourceEvent } from './messages.ts';
import type { SourceSettings } from './source-settings.ts';

const first = 1;
const withUpdates = 2;
/** An older program would run the empty code of a channel. */
const withChannels = 5;
/** An older program would refuse props of these types, or give the component something else. */
const withNewProps = 7;
const newTypes: ReadonlySet<string> = new Set(['$.interface.apphook', 'http_request']);
/** An older program would let hooks emit that must not. */
const withMutedHooks = 7;
/** An older program would build only the entry file, with the packages' current versions, and keep the result. */
const withFiles = 7;

/** An older program would build the component again, with the registry's current versions. */
export const bundlesVersion = 7;

/** Whether a program has more than its code. */
const hasFiles = (data: object): boolean => 'entry' in data || 'files' in data || 'lock' in data;

export const filesVersion = (data: object): number => (hasFiles(data) ? withFiles : first);
/** An older program would run it without the values of the props that `additionalProps` has added. */
const withDynamicProps = 7;
/** An older program would run it without the credentials of its accounts, or forget that it uses them. */
const withAccounts = 7;

const ofUpdates: ReadonlySet<string> = new Set<SourceEvent['type']>([
  'SourceUpdating',
  'SourceSwapped',
  'SourceSwappedBack',
  'SourceUpdated',
  'SourceUpdateRefused',
]);

const beginning: ReadonlySet<string> = new Set<SourceEvent['type'] | SourceCommand['type']>([
  'DeploySource',
  'SourceDeploying',
]);

/** `data`: any event's. An update's `SourceConfigured` has no name, and a later refusal of a delete has a revision. */
export function eventVersion({ type, data }: { readonly type: string; readonly data: object }): number {
  if (mutesHooks(data)) return withMutedHooks;
  if (describesNew(data) || 'eventNames' in data) return withNewProps;
  if (hasFiles(data)) return withFiles;
  if ('bundle' in data) return bundlesVersion;
  if (ofUpdates.has(type)) return withUpdates;
  if (beginning.has(type) && 'kind' in data) return withChannels;
  if (type === 'SourceDeploying') return 'settings' in data ? withUpdates : first;
  if (type === 'SourceConfigured' && hasDynamicProps(data)) return withDynamicProps;
  if (type === 'SourceConfigured' && usesAccounts(data as Configured)) return withAccounts;
  if (type === 'SourceConfigured') return 'name' in data ? first : withUpdates;
  return type === 'SourceDeleteRefused' && 'revision' in data ? withUpdates : first;
}

const hasDynamicProps = ({ manifest }: { readonly manifest?: Manifest }): boolean =>
  manifest?.props.some(({ dynamic }) => dynamic === true) === true;
type Configured = Extract<SourceEvent, { readonly type: 'SourceConfigured' }>['data'];

const usesAccounts = ({ manifest, props }: Configured): boolean => accountIdsOf(manifest, props).length > 0;

/** The first version, unless the definition has a field that earlier versions do not know. */
export function definitionVersion({ data }: Decided<SourceDefinition>): number {
  const { active = true, codeRevision, lastRevision, ignoreHookErrors, update, settings, kind, apphook } = data;
  if (mutesHooks(data) || mutesHooks(update ?? {})) return withMutedHooks;
  if (data.accounts !== undefined || update?.other?.accounts !== undefined) return withAccounts;
  if ((apphook ?? update?.other?.apphook ?? null) !== null) return withNewProps;
  if (kind !== undefined) return withChannels;
  const added = [codeRevision, lastRevision, ignoreHookErrors, update, settings];
  return active && added.every((field) => field === undefined) ? first : withUpdates;
}

const mutesHooks = ({ settings }: { readonly settings?: SourceSettings }): boolean => settings?.emitOnDeploy === false;

const describesNew = ({ manifest }: { readonly manifest?: Pick<Manifest, 'props'> }): boolean =>
  manifest?.props.some(({ type }) => newTypes.has(type)) === true;
