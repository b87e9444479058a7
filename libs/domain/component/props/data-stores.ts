// Checks `data_store` props against the data stores of the workspace: each names one that is there.
import type { JsonObject } from '../../json.ts';
import type { Manifest } from '../manifest.ts';
import type { PropProblem } from './prop-problem.ts';

/** `dataStores`: the ids of all that the workspace has; undefined: not known, so a missing one is found out when it is used. */
export function dataStoreProblems(
  { props }: Manifest,
  values: JsonObject,
  dataStores: readonly string[] | undefined,
): readonly PropProblem[] {
  if (dataStores === undefined) return [];
  return props.flatMap(({ name, type }) => {
    const value = type === 'data_store' && Object.hasOwn(values, name) ? values[name] : undefined;
    if (typeof value !== 'string' || dataStores.includes(value)) return [];
    const message = `Prop ${JSON.stringify(name)} names the data store ${value}, which is not in this workspace.`;
    return [{ prop: name, message }];
  });
}
