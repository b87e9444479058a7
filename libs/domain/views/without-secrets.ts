// Configured props as queries may show them: a marker in place of every sealed value, at any depth.
import type { Json } from '../json.ts';
import type { Sealed } from '../secrets/sealed.ts';

type Configured = { readonly [name: string]: Json | Sealed };

const isObject = (value: unknown): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function hide(value: Json): Json {
  if (Array.isArray(value)) return value.map(hide);
  if (!isObject(value)) return value;
  if (Object.hasOwn(value, '$sealed')) return { $sealed: true };
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, hide(held)]));
}

export function withoutSecrets(props: Configured): { readonly [name: string]: Json } {
  return Object.fromEntries(Object.entries(props).map(([name, value]) => [name, hide(value as Json)]));
}
