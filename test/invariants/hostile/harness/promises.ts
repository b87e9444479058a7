// Checks what must hold for others during a case: health, the neighbours, ordinary work.
import type { Client } from '../../../../libs/client/index.ts';
import { until } from '../../../support/until.ts';
import type { AttackedService } from './service.ts';
import type { Observation } from './watch/witness.ts';

const shownWithinMs = 20_000;
/** Seldom, because each poll reads many pages. */
const pollEveryMs = 1_000;
const pageMax = 100;
/** More lines would bury the first ones. */
const reportedMax = 3;

export const limitReported = (broken: readonly string[]): readonly string[] =>
  broken.length <= reportedMax ? broken : [...broken.slice(0, reportedMax), `and ${broken.length - reportedMax} more`];

export function problemsOfHealth(seen: readonly Observation[]): readonly string[] {
  const probes = seen.filter(({ of }) => of === 'health');
  if (probes.length === 0) return ['/health was not asked'];
  const wrong = probes.filter(({ status }) => status !== 200);
  return limitReported(wrong.map(({ status, text }) => `/health was to stay ok: ${status} ${text}`));
}

export function problemsOfAnswers(seen: readonly Observation[]): readonly string[] {
  const probes = seen.filter(({ of }) => of === 'neighbour');
  if (probes.length === 0) return ['the neighbours were not asked'];
  const wrong = probes.filter(({ status }) => status !== 200);
  return limitReported(
    wrong.map(
      ({ n, status, text, tookMs }) =>
        `a neighbour's request ${n} was to run: ${status} ${text} after ${Math.round(tookMs)} ms`,
    ),
  );
}

/** Checks that each accepted request has one event, and no neighbour's run failed. Skipped if the service has ended. */
export function problemsOfNeighbours(service: AttackedService): Promise<readonly string[]> {
  return problemsOfRecords(service).catch((error: unknown) => [
    `the neighbours were to be asked: ${String((error as Partial<Error>).message)}`,
  ]);
}

async function problemsOfRecords({ client, neighbours, accepted }: AttackedService): Promise<readonly string[]> {
  const ids = neighbours.map(({ id }) => id);
  const events = await until(
    'an event of each accepted request',
    async () => {
      const all = (await Promise.all(ids.map((id) => eventNumbersOf(client, id)))).flat();
      return all.length >= accepted.size && all;
    },
    shownWithinMs,
    pollEveryMs,
  ).catch(async () => (await Promise.all(ids.map((id) => eventNumbersOf(client, id)))).flat());
  const emitted = new Set(events);
  const missing = [...accepted].filter((n) => !emitted.has(n));
  const failed = (await Promise.all(ids.map((id) => failedRunsOf(client, id)))).flat();
  const broken = [...missing.map((n) => `a neighbour's accepted request ${n} has no event`), ...failed];
  if (events.length > emitted.size) broken.push(`${events.length - emitted.size} events of neighbours came twice`);
  return limitReported(broken);
}

async function eventNumbersOf(client: Client, sourceId: string): Promise<number[]> {
  const numbers: number[] = [];
  let after: string | undefined;
  do {
    const paging = { limit: pageMax, expand: 'event' as const, ...(after === undefined ? {} : { after }) };
    const { data, page_info } = await client.eventSummaries(sourceId, paging);
    numbers.push(...data.map(({ event }) => (event as { readonly n: number }).n));
    after = data.length < pageMax ? undefined : (page_info.end_cursor ?? undefined);
  } while (after !== undefined);
  return numbers;
}

async function failedRunsOf(client: Client, sourceId: string): Promise<string[]> {
  const failed: string[] = [];
  let after: string | undefined;
  do {
    const { data, page_info } = await client.runs(sourceId, {
      limit: pageMax,
      ...(after === undefined ? {} : { after }),
    });
    for (const { outcome, error } of data)
      if (outcome !== 'succeeded')
        failed.push(`a run of a neighbour's ${outcome}: ${error?.name ?? ''}: ${error?.message ?? ''}`);
    after = data.length < pageMax ? undefined : (page_info.end_cursor ?? undefined);
  } while (after !== undefined);
  return failed;
}

/** Checks that an ordinary deploy is accepted, and that a source that was not loaded yet runs. */
export async function problemsOfWork(service: AttackedService): Promise<readonly string[]> {
  const [deployed, wokenSleeper] = await Promise.allSettled([
    service.runOrdinary().then(({ id }) => service.client.deleteSource(id)),
    service.wakeSleeper(),
  ]);
  const reasonOf = (result: PromiseSettledResult<unknown>): string =>
    result.status === 'rejected' ? String((result.reason as Partial<Error>).message) : '';
  return [
    ...(deployed.status === 'rejected' ? [`an ordinary deploy was to run afterwards: ${reasonOf(deployed)}`] : []),
    ...(wokenSleeper.status === 'rejected'
      ? [`a source not loaded before was to run afterwards: ${reasonOf(wokenSleeper)}`]
      : []),
  ];
}
