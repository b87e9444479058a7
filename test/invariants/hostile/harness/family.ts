// Tries families of cases on one service, one after another; each family has one watch, one check of memory, one kill.
import type { Attack } from '../cases/attack.ts';
import type { NamedFamily } from '../cases/families.ts';
import { deleteAll, endLife } from './end-life.ts';
import { atOnceDefault, inLanes } from './lanes.ts';
import { leftOf } from './struck.ts';
import { firstOf, lostRuns, wrongAnswers, wrongHealth, wrongWork } from './promises.ts';
import { Service } from './service.ts';
import { strike } from './strike.ts';
import type { Left, Struck } from './struck.ts';

/** Broken promises, by promise. */
export interface FamilyReport {
  readonly struck: ReadonlyMap<string, Struck>;
  readonly health: readonly string[];
  readonly neighbours: readonly string[];
  readonly work: readonly string[];
  readonly memory: readonly string[];
  readonly restart: readonly string[];
}

/** Enough that neighbours run all the time, without being a load themselves. */
const requestsPerSecond = 20;

/** Each begins on the service as restarted after the last. `onStart` gets the service, to remove it on an abort. */
export async function* tryFamilies(
  families: readonly NamedFamily[],
  onStart: (service: Service) => void,
): AsyncGenerator<FamilyReport> {
  const sleepers = families.map(({ attacks, atOnce }) => (atOnce === 1 ? attacks.length : 1));
  const service = await Service.start(sleepers.reduce((all, some) => all + some));
  onStart(service);
  try {
    for (const family of families) yield await tryFamily(service, family);
  } finally {
    await service.remove();
  }
}

async function tryFamily(service: Service, family: NamedFamily): Promise<FamilyReport> {
  const { attacks, remain } = family;
  const beforeMiB = await memoryBefore(service, attacks);
  service.watch(requestsPerSecond);
  const { struck, work } = await strikeAll(service, family);
  const seen = await service.rest();
  const left = [...struck.values()].flatMap((one) => one.left ?? []);
  const neighbours = [...wrongAnswers(seen), ...(await lostRuns(service))];
  const { memory, restarted } = await endLife(service, { left, remain, beforeMiB });
  return { struck, work, health: wrongHealth(seen), neighbours, memory: memory.broken, restart: restarted.broken };
}

/** Enough that V8's heaps have the size that large requests need, and its code is compiled. */
const largeRequests = 200;

/** Resident MiB after as many ordinary sources and requests as there will be hostile ones. */
async function memoryBefore(service: Service, attacks: readonly Attack[]): Promise<number> {
  const left: Left[] = [];
  await inLanes(attacks, atOnceDefault, async ({ kind }) => {
    if (kind === 'component') left.push(leftOf(await service.workOrdinary()));
    else await service.askLarge();
  });
  await inLanes(Array.from({ length: largeRequests }), atOnceDefault, () => service.askLarge());
  await deleteAll(service, left);
  return service.residentMiB;
}

async function strikeAll(
  service: Service,
  { attacks, atOnce }: NamedFamily,
): Promise<Pick<FamilyReport, 'struck' | 'work'>> {
  const struck = new Map<string, Struck>();
  const work: string[] = [];
  await inLanes(attacks, atOnce, async (attack) => {
    struck.set(attack.name, await strike(service, attack));
    if (atOnce === 1) work.push(...(await wrongWork(service)).map((text) => `after '${attack.name}', ${text}`));
  });
  if (atOnce > 1) work.push(...(await wrongWork(service)));
  return { struck, work: firstOf(work) };
}
