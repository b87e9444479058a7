// A source as the API shows it (component-api.md 1.3).
import { derivedId } from '../../../../domain/id.ts';
import type { Json, JsonObject } from '../../../../domain/json.ts';
import type { Manifest, PropDefinition } from '../../../../domain/component/manifest.ts';
import type { ConsoleLine } from '../../../../domain/component/messages.ts';
import { isSealed } from '../../../../domain/secrets/seal.ts';
import type { SourceRefused, SourceView } from '../../../../domain/views/index.ts';
import { endpointUrl } from '../../../loop/settings.ts';
import { epochSeconds } from '../seconds.ts';
import type { DeployedSourceRecord, Observation, SourceRecord } from './source-record.dto.ts';

/** What endpoint URLs begin with. */
type EndpointBase = Parameters<typeof endpointUrl>[0];

/** In place of a value that only the component may see. */
const secretShown = '[secret]';

export function presentSource(source: SourceView, at: EndpointBase): SourceRecord {
  const manifest = source.manifest as Manifest | null;
  const refusal = source.refusal as SourceRefused | null;
  return {
    id: source.sourceId,
    user_id: source.userId,
    owner_id: source.workspace,
    component_id: derivedId('sc', source.workspace, source.codeHash),
    component_key: manifest?.key ?? null,
    version: manifest?.version ?? null,
    code_hash: source.codeHash,
    configured_props: configuredProps(source, manifest, at),
    configurable_props: manifest?.props ?? [],
    active: source.state === 'active',
    state: source.state,
    name: source.name,
    name_slug: source.nameSlug,
    created_at: epochSeconds(source.createdAt),
    updated_at: epochSeconds(source.updatedAt),
    ...(refusal === null ? {} : { refusal: { code: refusal.reason, error: refusal.message } }),
  };
}

export const presentDeployed = (source: SourceView, at: EndpointBase): DeployedSourceRecord => ({
  ...presentSource(source, at),
  observations: observationsOf((source.console ?? []) as unknown as readonly ConsoleLine[]),
});

export const observationsOf = (console: readonly ConsoleLine[]): readonly Observation[] =>
  console.map(({ level, at, text }) => ({ k: `console.${level}`, ts: at, msg: text }));

function configuredProps(source: SourceView, manifest: Manifest | null, at: EndpointBase): JsonObject {
  const shown: [string, Json][] = [];
  for (const prop of manifest?.props ?? []) {
    const value = presentProp(prop, source, at);
    if (value !== undefined) shown.push([prop.name, value]);
  }
  return Object.fromEntries(shown);
}

/** Undefined: it has no value, or none that could be shown. */
function presentProp(prop: PropDefinition, source: SourceView, at: EndpointBase): Json | undefined {
  const value = source.props[prop.name];
  if (prop.type === '$.interface.http') {
    return source.hasEndpoint ? { endpoint_url: endpointUrl(at, source.endpointKey) } : undefined;
  }
  if (value === undefined) return undefined;
  return prop.secret === true || isMarked(value) ? secretShown : value;
}

/** The views keep `{ "$sealed": true }` in place of what is sealed. */
const isMarked = (value: Json): boolean =>
  isSealed(value) || (typeof value === 'object' && value !== null && Object.hasOwn(value, '$sealed'));
