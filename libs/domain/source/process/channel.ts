// Decides about channels, sources without code: they are deployed at once, and only name and activity can change.
import type { Decided } from '../../message.ts';
import type { Manifest } from '../../component/manifest.ts';
import type { SourceCommand, SourceEvent } from '../messages.ts';
import type { DeployRefusal } from '../../definition/deploy-refusal.ts';
import { slugOf, uniqueSlug } from '../slug.ts';
import type { Sources } from '../state/sources.ts';
import type { Source } from '../state/source.ts';

/** The only revision of a channel. */
const revision = 1;

const manifestOf = (name: string): Manifest => ({
  name,
  version: '',
  type: 'source',
  props: [],
  hooks: [],
  methods: [],
  additionalProps: false,
  sampleEmit: false,
});

/** The events right after `SourceDeploying`: there is nothing to describe and no hook. */
export function deployChannel(
  state: Sources,
  { sourceId, name, workspace }: { readonly sourceId: string; readonly name: string; readonly workspace: string },
): readonly Decided<SourceEvent>[] {
  const nameSlug = uniqueSlug(slugOf(name), state.slugs.get(workspace) ?? new Map());
  return [
    { type: 'SourceConfigured', data: { sourceId, revision, manifest: manifestOf(name), name, nameSlug, props: {} } },
    { type: 'SourceDeployed', data: { sourceId, revision, console: [] } },
  ];
}

/** Undefined: the update can begin. */
export function refuseForChannel(
  { kind }: Source,
  { code, configuredProps, settings }: Extract<SourceCommand, { type: 'UpdateSource' }>['data'],
): DeployRefusal | undefined {
  const changesCode = code !== undefined || configuredProps !== undefined || settings !== undefined;
  if (kind !== 'channel' || !changesCode) return undefined;
  const message = 'The source is a channel: it runs no code, so only name and active can be updated.';
  return { reason: 'component_invalid', message };
}
