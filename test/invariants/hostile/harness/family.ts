// A family of cases on one service: together they have one watch, one wait for memory, and one kill.
import type { Attack } from '../cases/attack.ts';
import { deleteAll, endLife } from './end-life.ts';
import { atOnceDefault, inLanes } from './lanes.ts';
import { leftOf } from './struck.ts';
import { firstOf, lostRuns, wrongAnswers, wrongHealth, wrongWork } from './promises.ts';
import { Service } from './service.ts';
import { strike } from './strike.ts';
import type { Left, Struck } from './struck.ts';

export interface Family {
  readonly attacks: readonly Attack[];
  /** How many at a time: one where a case ends what others need. */
  readonly atOnce: number;
  /** Their sources must answer again after the restart, because of what they wrote. */
  readonly remain: boolean;
}

/** Broken promises by what was promised. */
export interface FamilyReport {
  readonly struck: ReadonlyMap<string, Struck>;
  readonly health: readonly string[];
  readonly neighbours: readonly string[];
  readonly work: readonly string[];
  readonly memory: readonly string[];
  readonly restart: readonly string[];
}

/** So that neighbours run all the time, and are not themselves a load. */
const requestsPerSecond = 20;

/** `onStart` gets what must be removed if this is not waited for to its end. */
export async function tryFamily(family: Family, onStart: (service: Service) => void): Promise<FamilyReport> {
  const { attacks, atOnce, remain } = family;
  const service = await Service.start(atOnce === 1 ? attacks.length : 1);
  onStart(service);
  try {
    const beforeMiB = await memoryBefore(service, attacks);
    service.watch(requestsPerSecond);
    const { struck, work } = await strikeAll(service, family);
    const seen = await service.rest();
    const left = [...struck.values()].flatMap((one) => one.left ?? []);
    const neighbours = [...wrongAnswers(seen), ...(await lostRuns(service))];
    const { memory, restarted } = await endLife(service, { left, remain, beforeMiB });
    return { struck, work, health: wrongHealth(seen), neighbours, memory: memory.broken, restart: restarted.broken };
  } finally {
    await service.remove();
  }
}

/** What a service takes that is in use: V8's heaps have grown to what large requests need, and its code is compiled. */
const largeRequests = 200;

/** When as many ordinary sources and requests as there will be hostile ones have come and gone. */
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
  { attacks, atOnce }: Family,
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
