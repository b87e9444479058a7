import { families, familyGroups } from '../../../libs/stages/loop/measuring/families.ts';
import type { Family } from '../../../libs/primitives/metrics/family.ts';
import { metricsPage, committedPage } from './page.ts';

const all: readonly Family[] = Object.values(families);

test('docs/metrics.md matches the metrics; `npm run metrics` regenerates it', async () => {
  expect(committedPage()).toBe(await metricsPage());
});

test('every metric is in exactly one group and has a unique name', () => {
  expect(familyGroups.flatMap(([, group]) => group).toSorted(byName)).toEqual(all.toSorted(byName));
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
});

const byName = (a: Family, b: Family): number => a.name.localeCompare(b.name);

test.each(all.map((family) => [family.name, family] as const))(
  '%s follows the conventions of Prometheus for names, help, buckets and labels',
  (name, of) => {
    expect(name).toMatch(/^(wellspring|process|nodejs)_[a-z0-9_]+$/);
    expect(name.endsWith('_total')).toBe(of.type === 'counter');
    expect(of.help).toMatch(/^[A-Z0-9].*\.$/);
    expect(of.buckets?.length ?? 0).toBe(of.type === 'histogram' ? 15 : 0);
    for (const label of Object.keys(of.labels)) expect(label).toMatch(/^(?!le$)[a-z]+$/);
  },
);
