// Checks that a value is one of a prop's options, if the manifest lists them.
import type { Json } from '../../json.ts';
import type { PropDefinition } from '../manifest.ts';
import { valueOf } from './label-value.ts';

/** The most options that a message names: more would make it unreadable. */
const optionsShownMax = 20;

/** The problem, or undefined when every value is an option or there is no list. */
export function optionProblem(value: Json, { options, remoteOptions }: PropDefinition): string | undefined {
  if (options === undefined || options.length === 0 || remoteOptions === true) return undefined;
  const allowed = options.map((option) => JSON.stringify(valueOf(option)));
  const known = new Set(allowed);
  const values = Array.isArray(value) ? (value as readonly Json[]) : [value];
  if (values.every((one) => known.has(JSON.stringify(one)))) return undefined;
  const shown = allowed.slice(0, optionsShownMax);
  if (allowed.length > optionsShownMax) shown.push(`and ${allowed.length - optionsShownMax} more`);
  return `must be one of its options: ${shown.join(', ')}`;
}
