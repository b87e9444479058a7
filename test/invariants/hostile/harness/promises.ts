// What holds for everybody whatever a case does: health, the neighbours, memory, ordinary work, the next start.
import type { Client } from '../../../../libs/client/index.ts';
import { pause, until } from '../../../support/until.ts';
import { runsOf } from './component-strike.ts';
import type { Service } from './service.ts';
import type { Left } from './struck.ts';
import type { Sighting } from './witness.ts';

/** Resident memory afterwards, against before. */
const memoryRatioMax = 1.2;
/** V8 gives memory back when it is idle, and the allocator after it. */
const memoryWithinMs = 30_000;
const shownWithinMs = 20_000;
const pageMax = 100;
/** More would bury the first. */
const toldMax = 3;

const firstOf = (broken: readonly string[]): readonly string[] =>
  broken.length <= toldMax ? broken : [...broken.slice(0, toldMax), `and ${broken.length - toldMax} more`];

export function wrongHealth(seen: readonly Sighting[]): readonly string[] {
  const asked = seen.filter(({ of }) => of === 'health');
  if (asked.length === 0) return ['/health was not asked'];
  const wrong = asked.filter(({ status }) => status !== 200);
  return firstOf(wrong.map(({ status, text }) => `/health was to stay ok: ${status} ${text}`));
}

export function wrongAnswers(seen: readonly Sighting[]): readonly string[] {
  const asked = seen.filter(({ of }) => of === 'neighbour');
  if (asked.length === 0) return ['the neighbours were not asked'];
  const wrong = asked.filter(({ status }) => status !== 200);
  return firstOf(
    wrong.map(
      ({ n, status, text, tookMs }) =>
        `a neighbour's request ${n} was to run: ${status} ${text} after ${Math.round(tookMs)} ms`,
    ),
  );
}

/** Each accepted request has one event, and no run of a neighbour's has failed. */
export async function lostRuns({ client, neighbours, accepted }: Service): Promise<readonly string[]> {
  const ids = neighbours.map(({ id }) => id);
  const events = await until(
    'an event of each accepted request',
    async () => {
      const all = (await Promise.all(ids.map((id) => eventsOf(client, id)))).flat();
      return all.length >= accepted.size && all;
    },
    shownWithinMs,
  ).catch(async () => (await Promise.all(ids.map((id) => eventsOf(client, id)))).flat());
  const emitted = new Set(events);
  const missing = [...accepted].filter((n) => !emitted.has(n));
  const failed = (await Promise.all(ids.map((id) => failedOf(client, id)))).flat();
  const broken = [...missing.map((n) => `a neighbour's accepted request ${n} has no event`), ...failed];
  if (events.length > emitted.size) broken.push(`${events.length - emitted.size} events of neighbours came twice`);
  return firstOf(broken);
}

async function eventsOf(client: Client, sourceId: string): Promise<number[]> {
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

async function failedOf(client: Client, sourceId: string): Promise<string[]> {
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

/** An ordinary deploy is accepted, and a source that was not loaded yet runs. */
export async function wrongWork(service: Service): Promise<readonly string[]> {
  const [deployed, woken] = await Promise.allSettled([
    service.workOrdinary().then(({ id }) => service.client.deleteSource(id)),
    service.wakeSleeper(),
  ]);
  const why = (result: PromiseSettledResult<unknown>): string =>
    result.status === 'rejected' ? String((result.reason as Partial<Error>).message) : '';
  return [
    ...(deployed.status === 'rejected' ? [`an ordinary deploy was to run afterwards: ${why(deployed)}`] : []),
    ...(woken.status === 'rejected' ? [`a source not loaded before was to run afterwards: ${why(woken)}`] : []),
  ];
}

export interface Memory {
  readonly ratio: number;
  readonly broken: readonly string[];
}

/** Waits until resident memory is back, or for the longest that this may take. */
export async function memoryBack(service: Service, beforeMiB: number): Promise<Memory> {
  const deadline = performance.now() + memoryWithinMs;
  let ratio = service.residentMiB / beforeMiB;
  while (ratio > memoryRatioMax && performance.now() < deadline) {
    await pause(250);
    ratio = Math.min(ratio, service.residentMiB / beforeMiB);
  }
  if (ratio <= memoryRatioMax) return { ratio, broken: [] };
  const [was, is] = [beforeMiB, service.residentMiB].map(Math.round);
  return { ratio, broken: [`memory was to come back to ${memoryRatioMax} times ${was} MiB, and has ${is} MiB`] };
}

export interface Restart {
  /** From the start of the process to its first healthy answer. */
  readonly startMs: number;
  readonly broken: readonly string[];
}

/** `kill -9`, and a start after which everything that is left answers. */
export async function restart(service: Service, left: readonly Left[]): Promise<Restart> {
  const { product } = service;
  await product.kill();
  const startedAt = performance.now();
  try {
    await product.start();
  } catch (error) {
    return { startMs: NaN, broken: [`the next start was to be healthy: ${(error as Error).message.slice(-500)}`] };
  }
  const startMs = performance.now() - startedAt;
  const broken: string[] = [];
  for (const one of left) {
    if (product.ending === undefined) broken.push(...(await wrongCalm(service, one)));
  }
  const health = await fetch(`${product.baseUrl}/health`).catch(() => undefined);
  if (health?.ok !== true) broken.push(`/health was to be ok after the start and these requests`);
  return { startMs, broken: firstOf(broken) };
}

/** What a case has left on the log must not keep its source from running. */
async function wrongCalm(service: Service, { sourceId, endpoint }: Left): Promise<string[]> {
  try {
    const before = (await runsOf(service, sourceId, 0)).length;
    const answer = await fetch(`${endpoint}?calm`, { method: 'POST' });
    await answer.arrayBuffer();
    if (answer.status !== 200) return [`${sourceId} was to answer 200 after the start: ${answer.status}`];
    const run = (await runsOf(service, sourceId, before + 1, shownWithinMs)).at(-1);
    if (run?.outcome === 'succeeded') return [];
    return [`${sourceId} was to run after the start: ${run?.error?.message}`];
  } catch (error) {
    const { ending } = service.product;
    return [`${sourceId} was to run after the start: ${ending ?? ''} ${(error as Error).message}`];
  }
}
