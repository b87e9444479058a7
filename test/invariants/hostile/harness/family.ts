// A family of cases on one service: together they have one watch, one wait for memory, and one kill.
import type { Attack } from '../cases/attack.ts';
import { lostRuns, memoryBack, restart, wrongAnswers, wrongHealth, wrongWork } from './promises.ts';
import { Service } from './service.ts';
import { strike } from './strike.ts';
import type { Left, Struck } from './struck.ts';

export interface Family {
  readonly attacks: readonly Attack[];
  /** How many at a time: one where a case ends what others need. */
  readonly atOnce: number;
  /** What they wrote is asked for again after the restart; else their sources are deleted before memory is looked at. */
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

export async function tryFamily(family: Family): Promise<FamilyReport> {
  const service = await Service.start(family.atOnce === 1 ? family.attacks.length : 1);
  try {
    const beforeMiB = await memoryBefore(service, family);
    service.watch(requestsPerSecond);
    const { struck, work } = await strikeAll(service, family);
    const seen = await service.rest();
    const left = [...struck.values()].flatMap((one) => one.left ?? []);
    if (!family.remain) await deleteAll(service, left);
    return {
      struck,
      work,
      health: wrongHealth(seen),
      neighbours: [...wrongAnswers(seen), ...(await saidOf(lostRuns(service)))],
      memory: (await memoryBack(service, beforeMiB)).broken,
      restart: (await restart(service, family.remain ? left : [])).broken,
    };
  } finally {
    await service.remove();
  }
}

/** With as many ordinary sources as there will be hostile ones: loaded where these will be. */
async function memoryBefore(service: Service, { attacks, remain }: Family): Promise<number> {
  const left: Left[] = [];
  for (const { kind } of attacks) {
    if (kind !== 'component') continue;
    const { id, configured_props } = await service.workOrdinary();
    left.push({ sourceId: id, endpoint: configured_props.http.endpoint_url });
  }
  if (remain) {
    const miB = service.residentMiB;
    await deleteAll(service, left);
    return miB;
  }
  await deleteAll(service, left);
  return service.residentMiB;
}

async function strikeAll(
  service: Service,
  { attacks, atOnce }: Family,
): Promise<Pick<FamilyReport, 'struck' | 'work'>> {
  const struck = new Map<string, Struck>();
  const work: string[] = [];
  const waiting = [...attacks];
  const lane = async (): Promise<void> => {
    for (let attack = waiting.shift(); attack !== undefined; attack = waiting.shift()) {
      struck.set(attack.name, await strike(service, attack));
      if (atOnce === 1) work.push(...(await wrongWork(service)).map((text) => `after '${attack?.name}', ${text}`));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  if (atOnce > 1) work.push(...(await wrongWork(service)));
  return { struck, work };
}

async function deleteAll({ client }: Service, left: readonly Left[]): Promise<void> {
  for (const { sourceId } of left) await client.deleteSource(sourceId).catch(() => undefined);
}

/** A service that has ended cannot be asked. */
const saidOf = (asked: Promise<readonly string[]>): Promise<readonly string[]> =>
  asked.catch((error: unknown) => [`the neighbours could not be asked: ${String((error as Partial<Error>).message)}`]);
