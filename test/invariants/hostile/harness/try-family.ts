// A family as a spec's tests: one for each case, so that each promise that breaks has a name.
import type { Family, FamilyReport } from './family.ts';
import { tryFamily } from './family.ts';
import type { Service } from './service.ts';

/** The cases, two starts, a wait for memory; what hangs is ended by its own deadline before. */
const familyMs = 300_000;

/** To be called once at the top of a spec. */
export function promisesHold(family: Family): void {
  let report: FamilyReport | undefined;
  let service: Service | undefined;
  const reported = (): FamilyReport => {
    if (report === undefined) throw new Error('the family could not be tried');
    return report;
  };
  beforeAll(async () => {
    report = await tryFamily(family, (started) => (service = started));
  }, familyMs);
  // Where the time was over, it is still there.
  afterAll(() => service?.remove());

  test.each(family.attacks.map(({ name }) => name))('%s: answers, runs and events are as expected', (name) => {
    expect(reported().struck.get(name)?.broken).toEqual([]);
  });
  test('`/health` stays ok', () => expect(reported().health).toEqual([]));
  test('every request to the neighbours is answered and emits one event', () =>
    expect(reported().neighbours).toEqual([]));
  test('ordinary sources can be deployed and loaded', () => expect(reported().work).toEqual([]));
  test('resident memory returns to its earlier level', () => expect(reported().memory).toEqual([]));
  test('the service starts healthy after `kill -9`, and the remaining sources answer', () =>
    expect(reported().restart).toEqual([]));
}
