// Watches a service from its own process: polls health, sends requests to neighbours at a steady rate, reports answers.
import { Agent, request } from 'node:http';
import { pause } from '../../../../support/until.ts';

export interface Watch {
  readonly healthUrl: string;
  /** The endpoints of the neighbours, which get requests in turn. */
  readonly endpoints: readonly string[];
  /** The number of the first request; numbers are unique within a service. */
  readonly from: number;
  readonly healthEveryMs: number;
  readonly requestEveryMs: number;
}

/** One answer. */
export interface Observation {
  readonly of: 'health' | 'neighbour';
  /** The number of a neighbour's request; 0 for health. */
  readonly n: number;
  /** The index of the neighbour in `endpoints`; 0 for health. */
  readonly neighbour: number;
  /** Epoch milliseconds. */
  readonly askedAt: number;
  readonly tookMs: number;
  /** 0: none came. */
  readonly status: number;
  /** The body of an answer that is not a success. */
  readonly text: string;
}

/** A health answer that takes longer counts as not ok. */
const healthWithinMs = 5_000;
/** An endpoint's own limit is 60 s. */
const answerWithinMs = 70_000;
/** With more unanswered requests, no more are sent: they would only measure the queue. */
const openMax = 400;
const textMax = 300;
const now = (): number => performance.timeOrigin + performance.now();

let observations: Observation[] = [];
let currentWatch: Watch | undefined;
let sendingLoops: Promise<unknown> = Promise.resolve();
const openRequests = new Set<Promise<void>>();

process.on('message', (watch: Watch | 'rest') => {
  if (watch === 'rest') void stopAndReport();
  else {
    currentWatch = watch;
    sendingLoops = Promise.all([probeHealth(watch), probeNeighbours(watch)]);
  }
});
process.on('disconnect', () => process.exit());

/** Stops sending, waits for the answers, and reports all of them. */
async function stopAndReport(): Promise<void> {
  currentWatch = undefined;
  await sendingLoops;
  await Promise.all(openRequests);
  process.send?.(observations);
  observations = [];
}

async function probeHealth(watch: Watch): Promise<void> {
  const agent = new Agent();
  while (currentWatch === watch) {
    startProbe({ of: 'health', n: 0, neighbour: 0, url: watch.healthUrl, agent, withinMs: healthWithinMs });
    await pause(watch.healthEveryMs);
  }
}

/** Sends requests at the given rate, however slow the answers are. */
async function probeNeighbours({ endpoints, from, requestEveryMs }: Watch): Promise<void> {
  const watch = currentWatch;
  const agent = new Agent({ keepAlive: true });
  const startedAt = performance.now();
  for (let count = 0; currentWatch === watch; count++) {
    await pause(Math.max(0, startedAt + count * requestEveryMs - performance.now()));
    const neighbour = count % endpoints.length;
    const url = endpoints[neighbour] ?? '';
    if (openRequests.size < openMax)
      startProbe({ of: 'neighbour', n: from + count, neighbour, url, agent, withinMs: answerWithinMs });
  }
  await Promise.all(openRequests);
  agent.destroy();
}

interface Probe {
  readonly of: Observation['of'];
  readonly n: number;
  readonly neighbour: number;
  readonly url: string;
  readonly agent: Agent;
  readonly withinMs: number;
}

function startProbe(probe: Probe): void {
  const answer = runProbe(probe);
  openRequests.add(answer);
  void answer.finally(() => openRequests.delete(answer));
}

function runProbe({ of, n, neighbour, url, agent, withinMs }: Probe): Promise<void> {
  const askedAt = now();
  const { promise, resolve } = Promise.withResolvers<void>();
  const record = (status: number, text = ''): void => {
    observations.push({ of, n, neighbour, askedAt, tookMs: now() - askedAt, status, text: text.slice(0, textMax) });
    resolve();
  };
  const headers = { 'content-type': 'application/json' };
  const signal = AbortSignal.timeout(withinMs);
  const clientRequest = request(
    url,
    { method: of === 'health' ? 'GET' : 'POST', agent, headers, signal },
    (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('error', (error) => record(0, error.message));
      response.on('end', () => record(response.statusCode ?? 0, response.statusCode === 200 ? '' : text));
    },
  );
  clientRequest.on('error', (error) => record(0, `${signal.aborted ? `no answer in ${withinMs} ms` : error.message}`));
  clientRequest.end(of === 'health' ? undefined : JSON.stringify({ n }));
  return promise;
}
