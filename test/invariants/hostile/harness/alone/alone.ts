// Runs one case on a fresh service, and measures its results and its effect on the others.
import { quantile } from '../../../../bench/report/figure.ts';
import { pause } from '../../../../support/until.ts';
import type { Attack } from '../../cases/attack.ts';
import { deleteAll, endLife } from '../end-life.ts';
import { lostRuns, wrongAnswers, wrongHealth, wrongWork } from '../promises.ts';
import { quickNeighbours, Service } from '../service.ts';
import { strike } from '../strike.ts';
import { leftOf } from '../struck.ts';
import type { Sighting } from '../watch/witness.ts';

export interface Alone {
  readonly case: string;
  readonly said: string;
  readonly healthP99Ms: number;
  /** The neighbours' p99 during the case, divided by that during an ordinary source's work. */
  readonly neighbourRatio: number;
  readonly memoryRatio: number;
  readonly startMs: number;
  /** Promises that did not hold, and goals that were missed. */
  readonly broken: readonly string[];
}

export const goals = { healthP99Ms: 100, neighbourRatio: 1.5 } as const;

/** About a hundred requests in the shortest case, of which one may be late. */
const requestsPerSecond = 40;
const windowMs = 5_000;
const warmUpMs = 1_000;

export async function tryAlone(attack: Attack, remain: boolean): Promise<Alone> {
  const service = await Service.start(1);
  try {
    await warmUp(service);
    const before = await measured(service, async () => {
      if (attack.kind === 'request') await service.askLarge();
      return service.workOrdinary();
    });
    await deleteAll(service, [leftOf(before.result)]);
    const beforeMiB = service.residentMiB;
    const during = await measured(service, () => strike(service, attack));
    const { said, broken, left } = during.result;
    const work = await wrongWork(service);
    const lost = await lostRuns(service);
    const ending = { left: left === undefined ? [] : [left], remain, beforeMiB };
    const { memory, restarted } = await endLife(service, ending);
    const healthP99Ms = p99(during.seen, 'health');
    const neighbourRatio = p99(during.seen, 'neighbour') / p99(before.seen, 'neighbour');
    return {
      case: attack.name,
      said,
      healthP99Ms,
      neighbourRatio,
      memoryRatio: memory.ratio,
      startMs: restarted.startMs,
      broken: [
        ...broken,
        ...wrongHealth(during.seen),
        ...wrongAnswers(during.seen),
        ...[work, lost, memory.broken, restarted.broken].flat(),
        ...(healthP99Ms > goals.healthP99Ms ? [`/health p99 ${Math.round(healthP99Ms)} ms`] : []),
        ...(neighbourRatio > goals.neighbourRatio ? [`neighbours' p99 ${neighbourRatio.toFixed(1)} times`] : []),
      ],
    };
  } finally {
    await service.remove();
  }
}

/** Loads the sources with first requests, because only later ones are compared. */
async function warmUp(service: Service): Promise<void> {
  service.watch(requestsPerSecond);
  await pause(warmUpMs);
  await service.rest();
}

/** Does the work, and returns what the watch saw meanwhile, for at least a minimum time. */
async function measured<T>(
  service: Service,
  act: () => Promise<T>,
): Promise<{ readonly result: T; readonly seen: readonly Sighting[] }> {
  service.watch(requestsPerSecond);
  const [result] = await Promise.all([act(), pause(windowMs)]);
  return { result, seen: await service.rest() };
}

const p99 = (seen: readonly Sighting[], which: Sighting['of']): number =>
  quantile(
    seen.filter(({ of, neighbour }) => of === which && neighbour < quickNeighbours).map(({ tookMs }) => tookMs),
    0.99,
  );
