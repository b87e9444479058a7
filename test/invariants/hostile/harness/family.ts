// Tries families of cases on one service, one after another; each family has one watch, one check of memory, one kill.
import type { Attack } from '../cases/attack.ts';
import type { NamedFamily } from '../cases/families.ts';
import { deleteAll, checkAfterAttack } from './after-attack.ts';
import { defaultConcurrency, forEachConcurrently } from './concurrently.ts';
import { remainingSourceOf } from './attack-outcome.ts';
import {
  limitReported,
  problemsOfNeighbours,
  problemsOfAnswers,
  problemsOfHealth,
  problemsOfWork,
} from './promises.ts';
import { AttackedService } from './service.ts';
import { attackService } from './strike.ts';
import type { RemainingSource, AttackOutcome } from './attack-outcome.ts';

/** Broken promises, by promise. */
export interface FamilyReport {
  readonly outcomes: ReadonlyMap<string, AttackOutcome>;
  readonly health: readonly string[];
  readonly neighbours: readonly string[];
  readonly work: readonly string[];
  readonly memory: readonly string[];
  readonly restart: readonly string[];
}

/** Enough that neighbours run all the time, without being a load themselves. */
const requestsPerSecond = 20;

/** Each begins on the service as restarted after the last. `onStart` gets the service, to remove it on an abort. */
export async function* runFamilies(
  families: readonly NamedFamily[],
  onStart: (service: AttackedService) => void,
): AsyncGenerator<FamilyReport> {
  const sleeperCounts = families.map(({ attacks, atOnce }) => (atOnce === 1 ? attacks.length : 1));
  const service = await AttackedService.start(sleeperCounts.reduce((all, some) => all + some));
  onStart(service);
  try {
    for (const family of families) yield await runFamily(service, family);
  } finally {
    await service.remove();
  }
}

async function runFamily(service: AttackedService, family: NamedFamily): Promise<FamilyReport> {
  const { attacks, remain } = family;
  const beforeMiB = await baselineMemory(service, attacks);
  service.startWatching(requestsPerSecond);
  const { outcomes, work } = await attackAll(service, family);
  const seen = await service.stopWatching();
  const remaining = [...outcomes.values()].flatMap((one) => one.remaining ?? []);
  const neighbours = [...problemsOfAnswers(seen), ...(await problemsOfNeighbours(service))];
  const { memory, restarted } = await checkAfterAttack(service, { remaining, remain, beforeMiB });
  return {
    outcomes,
    work,
    health: problemsOfHealth(seen),
    neighbours,
    memory: memory.broken,
    restart: restarted.broken,
  };
}

/** Enough that V8's heaps have the size that large requests need, and its code is compiled. */
const largeRequests = 200;

/** Resident MiB after as many ordinary sources and requests as there will be hostile ones. */
async function baselineMemory(service: AttackedService, attacks: readonly Attack[]): Promise<number> {
  const remaining: RemainingSource[] = [];
  await forEachConcurrently(attacks, defaultConcurrency, async ({ kind }) => {
    if (kind === 'component') remaining.push(remainingSourceOf(await service.runOrdinary()));
    else await service.sendLarge();
  });
  await forEachConcurrently(Array.from({ length: largeRequests }), defaultConcurrency, () => service.sendLarge());
  await deleteAll(service, remaining);
  return service.residentMiB;
}

async function attackAll(
  service: AttackedService,
  { attacks, atOnce }: NamedFamily,
): Promise<Pick<FamilyReport, 'outcomes' | 'work'>> {
  const outcomes = new Map<string, AttackOutcome>();
  const work: string[] = [];
  await forEachConcurrently(attacks, atOnce, async (attack) => {
    outcomes.set(attack.name, await attackService(service, attack));
    if (atOnce === 1) work.push(...(await problemsOfWork(service)).map((text) => `after '${attack.name}', ${text}`));
  });
  if (atOnce > 1) work.push(...(await problemsOfWork(service)));
  return { outcomes, work: limitReported(work) };
}
