// Makes the report of all tried components: how many of each tier are described, and the causes for the others.
import { tiers } from './tiers.ts';
import type { Tier } from './tiers.ts';
import type { ComponentFile } from './packages.ts';

export interface ConformanceResult extends ComponentFile {
  readonly tier: Tier;
  readonly imports: readonly string[];
  /** Undefined: it is described. */
  readonly refusal: string | undefined;
  readonly durationMs: number;
}

/** The product's refusal of every action, after it has loaded it. */
const refusedAsAction = /is of type action; only sources/;
/** Names and places in messages, which differ for the same cause. */
const variableParts = /component\.js -> .* -> |"[^"]*"|'[^']*'|`[^`]*`|\(line \d+, column \d+\)|\d+/g;

/** Whether it was loaded completely: described, or refused only for being an action. */
export const isLoaded = ({ type, refusal }: ConformanceResult): boolean =>
  refusal === undefined || (type === 'action' && refusedAsAction.test(refusal));

export function report(tried: readonly ConformanceResult[], missing: ReadonlyMap<string, string>): string {
  const sources = tried.filter(({ type }) => type === 'source');
  const actions = tried.filter(({ type }) => type === 'action');
  return [
    `| tier | sources | described | actions | loaded |`,
    `| ---- | ------- | --------- | ------- | ------ |`,
    ...tiers.map((tier) => row(tier, resultsOfTier(sources, tier), resultsOfTier(actions, tier))),
    row('all', sources, actions),
    '',
    ...refusalCauses(tried.filter((one) => !isLoaded(one))),
    ...[...missing].map(([name, trouble]) => `not on npm: ${name}: ${trouble}`),
    describedShare(sources.filter(({ tier }) => tier !== 'T4')),
  ].join('\n');
}

const resultsOfTier = (all: readonly ConformanceResult[], wanted: Tier): readonly ConformanceResult[] =>
  all.filter(({ tier }) => tier === wanted);

function row(name: string, ...groups: readonly (readonly ConformanceResult[])[]): string {
  const cells = groups.flatMap((group) => [String(group.length), String(group.filter(isLoaded).length)]);
  return `| ${[name, ...cells].join(' | ')} |`;
}

/** Each cause with the components that it excludes, the most frequent first. */
function refusalCauses(refused: readonly ConformanceResult[]): readonly string[] {
  const byCause = Map.groupBy(refused, ({ refusal = '' }) => refusal.replace(variableParts, '...'));
  const most = [...byCause.values()].toSorted((a, b) => b.length - a.length);
  return most.flatMap((group) => [
    `${group.length} refused: ${group[0]?.refusal ?? ''}`,
    `    ${group.map(({ key, tier }) => `${key} (${tier})`).join(', ')}`,
  ]);
}

function describedShare(sources: readonly ConformanceResult[]): string {
  const share = sources.length === 0 ? 0 : (100 * sources.filter(isLoaded).length) / sources.length;
  return `Of the sources of T0 to T3 ${share.toFixed(1)} % are described`;
}
