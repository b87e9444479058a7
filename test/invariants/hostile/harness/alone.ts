// One case alone on a fresh service, measured: what was said, and what everybody else felt of it.
import { quantile } from '../../../bench/figure.ts';
import { pause } from '../../../support/until.ts';
import type { Attack } from '../cases/attack.ts';
import { lostRuns, memoryBack, restart, wrongAnswers, wrongHealth, wrongWork } from './promises.ts';
import { Service } from './service.ts';
import { strike } from './strike.ts';
import type { Sighting } from './witness.ts';

export interface Alone {
  readonly case: string;
  readonly said: string;
  readonly healthP99Ms: number;
  /** The neighbours' p99 during the case, against theirs while an ordinary source did what it does. */
  readonly neighbourRatio: number;
  readonly memoryRatio: number;
  readonly startMs: number;
  /** Promises that did not hold, and goals that were missed. */
  readonly broken: readonly string[];
}

export const goals = { healthP99Ms: 100, neighbourRatio: 1.5 } as const;

/** Some hundred requests in the shortest case, of which one may be late. */
const requestsPerSecond = 40;
const windowMs = 5_000;

export async function tryAlone(attack: Attack, remain: boolean): Promise<Alone> {
  const service = await Service.start(1);
  try {
    const before = await measured(service, () => service.workOrdinary());
    const ordinary = [{ sourceId: before.result.id, endpoint: before.result.configured_props.http.endpoint_url }];
    const beforeMiB = service.residentMiB;
    for (const { sourceId } of ordinary) await service.client.deleteSource(sourceId);
    const during = await measured(service, () => strike(service, attack));
    const { said, broken, left } = during.result;
    const work = await wrongWork(service);
    const lost = await lostRuns(service).catch((error: Error) => [
      `the neighbours could not be asked: ${error.message}`,
    ]);
    if (left !== undefined && !remain) await service.client.deleteSource(left.sourceId).catch(() => undefined);
    const memory = await memoryBack(service, beforeMiB);
    const { startMs, broken: unhealthy } = await restart(service, left !== undefined && remain ? [left] : []);
    const healthP99Ms = p99(during.seen, 'health');
    const neighbourRatio = p99(during.seen, 'neighbour') / p99(before.seen, 'neighbour');
    return {
      case: attack.name,
      said,
      healthP99Ms,
      neighbourRatio,
      memoryRatio: memory.ratio,
      startMs,
      broken: [
        ...broken,
        ...wrongHealth(during.seen),
        ...wrongAnswers(during.seen),
        ...[work, lost, memory.broken, unhealthy].flat(),
        ...(healthP99Ms > goals.healthP99Ms ? [`/health p99 ${Math.round(healthP99Ms)} ms`] : []),
        ...(neighbourRatio > goals.neighbourRatio ? [`neighbours' p99 ${neighbourRatio.toFixed(1)} times`] : []),
      ],
    };
  } finally {
    await service.remove();
  }
}

/** What was seen while it was done, for long enough to count. */
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
    seen
      .filter(({ of }) => of === which)
      .map(({ tookMs }) => tookMs)
      .sort((a, b) => a - b),
    0.99,
  );
