// Defines a spec's tests for families: one for each case, so that each broken promise has a name.
import type { NamedFamily } from '../cases/families.ts';
import type { FamilyReport } from './family.ts';
import { runFamilies } from './family.ts';
import type { AttackedService } from './service.ts';

/** For a family's cases, start and wait for memory; a hanging step ends earlier, by its own deadline. */
const familyMs = 300_000;

/** Call it once at the top of a spec. */
export function defineFamilyTests(...families: readonly NamedFamily[]): void {
  const reports: FamilyReport[] = [];
  let service: AttackedService | undefined;
  beforeAll(async () => {
    for await (const report of runFamilies(families, (started) => (service = started))) reports.push(report);
  }, familyMs * families.length);
  // If the time ran out, the service still runs.
  afterAll(() => service?.remove());

  describe.each(families.map(({ name, attacks }, at) => ({ name, attacks, at })))('$name', ({ attacks, at }) => {
    const reportOfFamily = (): FamilyReport => {
      const report = reports[at];
      if (report === undefined) throw new Error('the family could not be tried');
      return report;
    };
    test.each(attacks.map((attack) => attack.name))('%s: answers, runs and events are as expected', (attack) => {
      expect(reportOfFamily().outcomes.get(attack)?.broken).toEqual([]);
    });
    test('`/health` stays ok', () => expect(reportOfFamily().health).toEqual([]));
    test('every request to the neighbours is answered and emits one event', () =>
      expect(reportOfFamily().neighbours).toEqual([]));
    test('ordinary sources can be deployed and loaded', () => expect(reportOfFamily().work).toEqual([]));
    test('resident memory returns to its earlier level', () => expect(reportOfFamily().memory).toEqual([]));
    test('the service starts healthy after `kill -9`, and the remaining sources answer', () =>
      expect(reportOfFamily().restart).toEqual([]));
  });
}
