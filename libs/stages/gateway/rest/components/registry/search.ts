// Searches an app's components in the registry: ranks each by how many of the query's words it has.
import type { RegistryComponent } from '../../../../../domain/component/program/registry-component.ts';

interface SearchQuery {
  readonly query: string;
  /** The most records of each list. */
  readonly limit: number;
}

/** A word in the key counts more than one in the description. */
const weights = { key: 4, name: 2, description: 1 } as const;
const fields = ['key', 'name', 'description'] as const;

/** Keys, the best first; without a query all, sorted by key. */
export function rankComponents(
  components: readonly RegistryComponent[],
  { query, limit }: SearchQuery,
): { readonly sources: readonly string[]; readonly actions: readonly string[] } {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const ranked = components
    .map((component) => ({ component, score: scoreOf(component, words) }))
    .filter(({ score }) => words.length === 0 || score > 0)
    .toSorted((one, other) => other.score - one.score || (one.component.key < other.component.key ? -1 : 1));
  const keysOf = (type: RegistryComponent['type']): readonly string[] =>
    ranked.flatMap(({ component }) => (component.type === type ? [component.key] : [])).slice(0, limit);
  return { sources: keysOf('source'), actions: keysOf('action') };
}

const scoreOf = (component: RegistryComponent, words: readonly string[]): number =>
  words.reduce((sum, word) => {
    const matched = fields.find((field) => component[field].toLowerCase().includes(word));
    return sum + (matched === undefined ? 0 : weights[matched]);
  }, 0);
