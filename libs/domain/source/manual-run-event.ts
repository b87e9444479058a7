// Makes the event of a manual run that was requested without one, in the shape of the source's own interface
// (docs/reference/component-api.md, "What `run` gets").
import type { JsonObject } from '../json.ts';
import type { Millis } from '../message.ts';
import type { Manifest } from '../component/manifest.ts';

/** A source with a timer, or without interfaces, gets the time; a source with an endpoint only, an empty request. */
export function manualRunEvent(
  { props }: Pick<Manifest, 'props'>,
  { endpoint, at }: { readonly endpoint: string; readonly at: Millis },
): JsonObject {
  const types = new Set(props.map(({ type }) => type));
  if (types.has('$.interface.timer') || !types.has('$.interface.http')) return { timestamp: Math.floor(at / 1000) };
  return { method: 'POST', path: '/', query: {}, headers: {}, body: {}, bodyRaw: '', url: endpoint, client_ip: '' };
}
