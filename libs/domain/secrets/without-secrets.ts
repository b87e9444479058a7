// Makes configured props safe to show: replaces every sealed value, at any depth, by a marker.
import { isJsonObject, jsonDepthMax } from '../json.ts';
import type { Json } from '../json.ts';
import type { Sealed } from './sealed.ts';

type Configured = { readonly [name: string]: Json | Sealed };

/** Replaces values nested deeper than a record may be; new versions refuse such props, but old logs may hold some. */
export const tooDeepPlaceholder = '[nested too deep]';

/** Goes down `levels` at most, so that no record can overflow the stack. */
function hide(value: Json, levels: number): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (isJsonObject(value) && Object.hasOwn(value, '$sealed')) return { $sealed: true };
  if (levels === 0) return tooDeepPlaceholder;
  if (Array.isArray(value)) return value.map((inner: Json) => hide(inner, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, hide(inner, levels - 1)]));
}

export function withoutSecrets(props: Configured): { readonly [name: string]: Json } {
  return Object.fromEntries(Object.entries(props).map(([name, value]) => [name, hide(value as Json, jsonDepthMax)]));
}
