// Formats a source.
import type { Source } from '../../../libs/client/index.ts';
import { fields } from './layout/fields.ts';
import type { Column } from './layout/table.ts';
import { plainLine } from './plain-text.ts';
import type { Style } from './style.ts';
import { formatLocalTime, formatRelativeTime } from './times.ts';

/** Undefined: it has no endpoint. */
export const endpointOf = ({ configured_props }: Pick<Source, 'configured_props'>): string | undefined => {
  const values = Object.values(configured_props) as readonly ({ readonly endpoint_url?: string } | null | undefined)[];
  return values.find((value) => typeof value?.endpoint_url === 'string')?.endpoint_url;
};

export function paintState(text: string, style: Style): string {
  const state = plainLine(text);
  if (/^(active|succeeded|delivered)$/.test(state)) return style.good(state);
  if (/^(refused|failed|parked|disabled|error)$/.test(state)) return style.bad(state);
  return style.warning(state);
}

export function sourceColumns(sources: readonly Source[], style: Style, nowMs: number): readonly Column<Source>[] {
  return [
    { title: 'ID', value: ({ id }) => id, isNeverCut: true },
    { title: 'NAME', value: ({ name }) => name, tail: slugAmong(sources), paint: style.name },
    { title: 'STATE', value: ({ state }) => state, isNeverCut: true, paint: (text) => paintState(text, style) },
    { title: 'LAST EVENT', value: ({ last_event_at_ms: at }) => ago(at, nowMs), isNeverCut: true },
    { title: 'LAST RUN', value: ({ last_run_at_ms: at }) => ago(at, nowMs), isNeverCut: true, isOptional: true },
    { title: 'ENDPOINT', value: (source) => endpointOf(source) ?? null, isNeverCut: true, isOptional: true },
  ];
}

const ago = (at: number | null, nowMs: number): string | null => (at === null ? null : formatRelativeTime(at, nowMs));

/** Returns the slug of a source if another source has the same name, or uses one of the two as name or slug. */
function slugAmong(sources: readonly Source[]): NonNullable<Column<Source>['tail']> {
  const [seen, shared] = [new Set<string | null>(), new Set<string | null>()];
  for (const { name, name_slug } of sources)
    for (const word of new Set([name, name_slug])) (seen.has(word) ? shared : seen).add(word);
  return ({ name, name_slug: slug }) => (slug !== null && (shared.has(name) || shared.has(slug)) ? `(${slug})` : null);
}

export function showSource(source: Source, style: Style): string {
  const { configured_props: props, last_error: error } = source;
  const time = (ms: number | null): string | null => (ms === null ? null : formatLocalTime(ms));
  const values = Object.entries(props).filter(([, value]) => !isEndpoint(value));
  return fields(
    [
      ['id', source.id],
      ['name', source.name === null ? null : plainLine(source.name), style.name],
      ['slug', source.name_slug],
      ['kind', source.kind === 'channel' ? source.kind : null],
      ['state', source.state, (text) => paintState(text, style)],
      ['endpoint', endpointOf(source)],
      ['component', source.component_key ?? source.component_id],
      ['version', source.version],
      ['next run', time(source.next_run_at_ms)],
      ['last event', time(source.last_event_at_ms)],
      ['last run', time(source.last_run_at_ms)],
      ['last error', error === null ? null : `${error.message} (${error.run_id})`, style.bad],
      ['refused', source.refusal?.error, style.bad],
      ['created', formatLocalTime(source.created_at * 1_000)],
      ...values.map(([name, value]) => [`prop ${name}`, JSON.stringify(value)] as const),
    ],
    style,
  );
}

const isEndpoint = (value: unknown): boolean => typeof value === 'object' && value !== null && 'endpoint_url' in value;
