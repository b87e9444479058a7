// A source as the API shows it (docs/reference/component-api.md, "Sources as records").
import { derivedId } from '../../../../domain/id.ts';
import type { Json, JsonObject } from '../../../../domain/json.ts';
import type { Manifest, PropDefinition } from '../../../../domain/component/manifest.ts';
import { apphookPath, isApphook } from '../../../../domain/component/props/apphook/apphook.ts';
import { isStoredSealed } from '../../../../domain/component/props/prop-types.ts';
import { endpointUrl } from '../../../../domain/source/endpoint/endpoint-url.ts';
import type { EndpointSettings } from '../../../../domain/source/endpoint/endpoint-url.ts';
import { settingBounds } from '../../../../domain/source/source-settings.ts';
import type { SourceSettings } from '../../../../domain/source/source-settings.ts';
import type { ConsoleLine } from '../../../../domain/component/output.ts';
import { isSealed } from '../../../../domain/secrets/seal.ts';
import type { ScheduleView, SourceRefused, SourceView } from '../../../../domain/views/index.ts';
import { readSchedule } from '../../../../domain/timer/schedule.ts';
import { epochSeconds } from '../epoch-seconds.ts';
import { secretPlaceholder } from '../../../../domain/secrets/secret-placeholder.ts';
import { noRuns } from './runs/last-runs.ts';
import type { LastRuns } from './runs/last-runs.ts';
import { nextRunOf } from './runs/next-run.ts';
import type { DeployedSourceRecord, Observation, SourceRecord } from './source-record.dto.ts';

type Settings = Pick<SourceRecord, 'timeout_ms' | 'memory_mb' | 'rate_limit' | 'concurrency' | 'emit_on_deploy'>;

/** Data that is shown with a source but is not part of it. */
export interface SourceExtras {
  /** The schedule of its timer, possibly still a former one; undefined: no timer, or its schedule is not known yet. */
  readonly schedule?: ScheduleView | undefined;
  /** Undefined: the source has not run. */
  readonly last?: LastRuns | undefined;
}

export function presentSource(
  source: SourceView,
  endpointBase: EndpointSettings,
  { schedule, last = noRuns }: SourceExtras,
): SourceRecord {
  const manifest = source.manifest as Manifest | null;
  const refusal = source.refusal as SourceRefused | null;
  return {
    id: source.sourceId,
    user_id: source.userId,
    owner_id: source.workspace,
    ...codeOf(source, manifest),
    configured_props: configuredProps(source, manifest, endpointBase),
    configurable_props: manifest?.props ?? [],
    has_sample: manifest?.sampleEmit ?? null,
    active: source.active,
    state: source.state,
    name: source.name || null,
    name_slug: source.nameSlug || null,
    ...presentSettings((source.settings ?? {}) as SourceSettings),
    created_at: epochSeconds(source.createdAt),
    updated_at: epochSeconds(source.updatedAt),
    next_run_at_ms: nextRunOf(source, schedule),
    ...last,
    ...(refusal === null ? {} : { refusal: { code: refusal.reason, error: refusal.message } }),
  };
}

type Code = Pick<SourceRecord, 'kind' | 'component_id' | 'component_key' | 'version' | 'code_hash'>;

/** A channel has no code. */
function codeOf({ kind, workspace, codeHash }: SourceView, manifest: Manifest | null): Code {
  if (kind === 'channel') return { kind, component_id: null, component_key: null, version: null, code_hash: null };
  const declared = { component_key: manifest?.key ?? null, version: manifest?.version ?? null };
  return { kind: 'component', component_id: derivedId('sc', workspace, codeHash), ...declared, code_hash: codeHash };
}

const presentSettings = ({
  timeoutMs,
  memoryMb,
  rateLimit,
  concurrency,
  emitOnDeploy = true,
}: SourceSettings): Settings => ({
  timeout_ms: timeoutMs ?? settingBounds.timeoutMs.default,
  memory_mb: memoryMb ?? settingBounds.memoryMb.default,
  rate_limit: rateLimit ?? null,
  concurrency: concurrency ?? settingBounds.concurrency.default,
  emit_on_deploy: emitOnDeploy,
});

export const presentDeployed = (
  source: SourceView,
  endpointBase: EndpointSettings,
  extras: SourceExtras,
): DeployedSourceRecord => ({
  ...presentSource(source, endpointBase, extras),
  observations: observationsOf((source.console ?? []) as unknown as readonly ConsoleLine[]),
});

export const observationsOf = (console: readonly ConsoleLine[]): readonly Observation[] =>
  console.map(({ level, at, text }) => ({ k: `console.${level}`, ts: at, msg: text }));

function configuredProps(source: SourceView, manifest: Manifest | null, endpointBase: EndpointSettings): JsonObject {
  const entries: [string, Json][] = [];
  for (const prop of manifest?.props ?? []) {
    const value = presentProp(prop, source, endpointBase);
    if (value !== undefined) entries.push([prop.name, value]);
  }
  return Object.fromEntries(entries);
}

/** Undefined: the prop has no value to show. */
function presentProp(prop: PropDefinition, source: SourceView, endpointBase: EndpointSettings): Json | undefined {
  const value = source.props[prop.name];
  if (prop.type === '$.interface.http') {
    return source.hasEndpoint ? { endpoint_url: endpointUrl(endpointBase, source.endpointKey) } : undefined;
  }
  if (isApphook(prop))
    return {
      endpoint_url: endpointUrl(endpointBase, source.endpointKey) + apphookPath,
      event_names: prop.remoteEventNames === true ? (source.eventNames ?? null) : (prop.eventNames ?? null),
    };
  if (value === undefined) return undefined;
  if (prop.type === '$.interface.timer') return presentTimer(value);
  return isStoredSealed(prop) || isSealedMark(value) ? secretPlaceholder : value;
}

/** As in docs/reference/component-api.md, "Sources as records"; a cron timer also has its timezone. */
function presentTimer(value: Json): Json {
  const result = readSchedule(value);
  if ('problem' in result) return value;
  const { schedule } = result;
  if ('cron' in schedule) return { cron: schedule.cron, timezone: schedule.timezone, interval_seconds: null };
  return { cron: null, interval_seconds: schedule.intervalSeconds };
}

/** The views hold `{ "$sealed": true }` in place of an encrypted value. */
const isSealedMark = (value: Json): boolean =>
  isSealed(value) || (typeof value === 'object' && value !== null && Object.hasOwn(value, '$sealed'));
