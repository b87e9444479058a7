// Checks that each `data_store` prop names an existing data store of the workspace.
import type { JsonObject } from '../../json.ts';
import type { Manifest } from '../manifest.ts';
import type { PropProblem } from './prop-problem.ts';

/** `dataStores`: the ids of all data stores of the workspace; undefined: unknown here, so nothing is checked. */
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
