// Plans of the declared views for stores: the fields of each index, and a document's values in them.
import type { ViewDefinition, ViewQuery, ViewValue } from './view-store.ts';

export type IndexedValue = string | number;

export interface IndexPlan {
  readonly name: string;
  /** The fields that are matched by equality, in order. */
  readonly matched: readonly string[];
  readonly sort: string;
  /** Whether no two documents have the same values, so that there are no ties. */
  readonly isUnique: boolean;
}

export interface ViewPlan {
  readonly name: string;
  readonly indexes: readonly IndexPlan[];
  /** Every field of every index, once, in the order of first mention. */
  readonly fields: readonly string[];
  /** JSON text of a typical document. */
  readonly sample: string;
}

/** The most documents that a store reads at once, and that a query or `getMany` returns. */
export const documentsMax = 1_000;

/**
 * The most documents of a range that are counted: they are counted one by one, and no user pages this far by number.
 */
export const rangeCountMax = 10_000;

/** Names of views, indexes and fields are used in databases, some of which allow only this form. */
const nameForm = /^[A-Za-z][A-Za-z0-9]*$/;

function planView(definition: ViewDefinition): ViewPlan {
  for (const name of [
    definition.name,
    ...Object.keys(definition.indexes),
    ...Object.values(definition.indexes).flat(),
  ]) {
    if (!nameForm.test(name)) throw new Error(`View ${definition.name} uses the name ${name}: letters and digits only`);
  }
  const { sample = '', unique = [] } = definition;
  const unknown = unique.find((name) => definition.indexes[name] === undefined);
  if (unknown !== undefined) throw new Error(`View ${definition.name} has no index ${unknown}`);
  const indexes = Object.entries(definition.indexes).map(([name, fields]): IndexPlan => {
    const sort = fields.at(-1);
    if (sort === undefined) throw new Error(`Index ${definition.name}.${name} has no fields`);
    return { name, matched: fields.slice(0, -1), sort, isUnique: unique.includes(name) };
  });
  return { name: definition.name, indexes, sample, fields: [...new Set(Object.values(definition.indexes).flat())] };
}

export function planViews(definitions: readonly ViewDefinition[]): ReadonlyMap<string, ViewPlan> {
  return new Map(definitions.map((definition) => [definition.name, planView(definition)]));
}

export function viewOf(plans: ReadonlyMap<string, ViewPlan>, name: string): ViewPlan {
  const plan = plans.get(name);
  if (plan === undefined) throw new Error(`No view ${name}: declared are ${[...plans.keys()].join(', ')}`);
  return plan;
}

export function indexOf(view: ViewPlan, query: Pick<ViewQuery, 'index' | 'equals'>): IndexPlan {
  const index = view.indexes.find(({ name }) => name === query.index);
  if (index === undefined) throw new Error(`View ${view.name} has no index ${query.index}`);
  if (index.matched.length !== query.equals.length) {
    throw new Error(
      `Index ${view.name}.${index.name} takes ${index.matched.length} values, got ${query.equals.length}`,
    );
  }
  return index;
}

/**
 * Returns the value of `field`. Throws a plain Error if it is no text or finite number: no index would find the
 * document.
 */
export function indexedValue(view: ViewPlan, field: string, value: ViewValue): IndexedValue {
  const fieldValue = value[field];
  if (typeof fieldValue === 'string' || (typeof fieldValue === 'number' && Number.isFinite(fieldValue)))
    return fieldValue;
  throw new Error(`A document of view ${view.name} has no text or number in its indexed field ${field}`);
}

export function checkCount(label: string, count: number, minimum: number): void {
  if (Number.isInteger(count) && count >= minimum && count <= documentsMax) return;
  throw new Error(`${label} takes ${minimum} to ${documentsMax}, got ${count}`);
}
