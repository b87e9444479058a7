// Families as a spec's tests: one for each case, so that each promise that breaks has a name.
import type { NamedFamily } from '../cases/families.ts';
import type { FamilyReport } from './family.ts';
import { tryFamilies } from './family.ts';
import type { Service } from './service.ts';

/** Of each: the cases, a start, a wait for memory; what hangs is ended by its own deadline before. */
const familyMs = 300_000;

/** To be called once at the top of a spec. */
export function promisesHold(...families: readonly NamedFamily[]): void {
  const reports: FamilyReport[] = [];
  let service: Service | undefined;
  beforeAll(async () => {
    for await (const report of tryFamilies(families, (started) => (service = started))) reports.push(report);
  }, familyMs * families.length);
  // Where the time was over, it is still there.
  afterAll(() => service?.remove());

  describe.each(families.map(({ name, attacks }, at) => ({ name, attacks, at })))('$name', ({ attacks, at }) => {
    const reported = (): FamilyReport => {
      const report = reports[at];
      if (report === undefined) throw new Error('the family could not be tried');
      return report;
    };
    test.each(attacks.map((attack) => attack.name))('%s: answers, runs and events are as expected', (attack) => {
      expect(reported().struck.get(attack)?.broken).toEqual([]);
    });
    test('`/health` stays ok', () => expect(reported().health).toEqual([]));
    test('every request to the neighbours is answered and emits one event', () =>
      expect(reported().neighbours).toEqual([]));
    test('ordinary sources can be deployed and loaded', () => expect(reported().work).toEqual([]));
    test('resident memory returns to its earlier level', () => expect(reported().memory).toEqual([]));
    test('the service starts healthy after `kill -9`, and the remaining sources answer', () =>
      expect(reported().restart).toEqual([]));
  });
}
