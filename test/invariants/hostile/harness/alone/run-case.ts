// Runs one case on a fresh service, and measures its results and its effect on the others.
import { quantile } from '../../../../bench/report/figure.ts';
import { pause } from '../../../../support/until.ts';
import type { Attack } from '../../cases/attack.ts';
import { deleteAll, checkAfterAttack } from '../after-attack.ts';
import { problemsOfNeighbours, problemsOfAnswers, problemsOfHealth, problemsOfWork } from '../promises.ts';
import { quickNeighbours, AttackedService } from '../service.ts';
import { attackService } from '../strike.ts';
import { remainingSourceOf } from '../attack-outcome.ts';
import type { Observation } from '../watch/witness.ts';

export interface CaseResult {
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

export async function runCase(attack: Attack, remain: boolean): Promise<CaseResult> {
  const service = await AttackedService.start(1);
  try {
    await warmUp(service);
    const before = await watchDuring(service, async () => {
      if (attack.kind === 'request') await service.sendLarge();
      return service.runOrdinary();
    });
    await deleteAll(service, [remainingSourceOf(before.result)]);
    const beforeMiB = service.residentMiB;
    const during = await watchDuring(service, () => attackService(service, attack));
    const { summary, broken, remaining: remainingSource } = during.result;
    const work = await problemsOfWork(service);
    const lost = await problemsOfNeighbours(service);
    const ending = { remaining: remainingSource === undefined ? [] : [remainingSource], remain, beforeMiB };
    const { memory, restarted } = await checkAfterAttack(service, ending);
    const healthP99Ms = p99(during.seen, 'health');
    const neighbourRatio = p99(during.seen, 'neighbour') / p99(before.seen, 'neighbour');
    return {
      case: attack.name,
      said: summary,
      healthP99Ms,
      neighbourRatio,
      memoryRatio: memory.ratio,
      startMs: restarted.startMs,
      broken: [
        ...broken,
        ...problemsOfHealth(during.seen),
        ...problemsOfAnswers(during.seen),
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
async function warmUp(service: AttackedService): Promise<void> {
  service.startWatching(requestsPerSecond);
  await pause(warmUpMs);
  await service.stopWatching();
}

/** Does the work, and returns what the watch saw meanwhile, for at least a minimum time. */
async function watchDuring<T>(
  service: AttackedService,
  act: () => Promise<T>,
): Promise<{ readonly result: T; readonly seen: readonly Observation[] }> {
  service.startWatching(requestsPerSecond);
  const [result] = await Promise.all([act(), pause(windowMs)]);
  return { result, seen: await service.stopWatching() };
}

const p99 = (seen: readonly Observation[], kind: Observation['of']): number =>
  quantile(
    seen.filter(({ of, neighbour }) => of === kind && neighbour < quickNeighbours).map(({ tookMs }) => tookMs),
    0.99,
  );
