// A load client in its own process: posts numbered events at a fixed rate or concurrency, and reports each answer.
import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';

/** Requests at a fixed rate, however slow the answers are. */
export interface SteadyPace {
  readonly perSecond: number;
  readonly seconds: number;
  /** Connections; by default 64. A request without a free one waits; its time counts from when it was due. */
  readonly sockets?: number;
}

/** A fixed number of requests in flight: each answer lets the next one begin. */
export interface BusyPace {
  readonly inFlight: number;
  readonly seconds: number;
}

export interface Load {
  /** Events go to the URLs in turn, by their numbers. */
  readonly urls: readonly string[];
  readonly pace: SteadyPace | BusyPace;
  readonly bytes: number;
  /** The first event's number. */
  readonly from: number;
  /** Publishes events, several with each request; absent: each request is one event. */
  readonly publishing?: Publishing;
}

export interface Publishing {
  readonly batch: number;
  readonly apiKey: string;
}

/** One answer: number of the (first) event, status (0: none), and the times of request and answer, epoch ms. */
export type Answer = readonly [n: number, status: number, askedAt: number, answeredAt: number];

const tickMs = 5;
const socketsDefault = 64;
/** With more open requests, in an overload, a due request is not sent: its status is 0. */
const openMax = 20_000;
/** Wait before the next request after a refusal. */
const refusedPauseMs = 20;
const agent = new Agent({ keepAlive: true, maxSockets: socketsDefault });
const now = (): number => performance.timeOrigin + performance.now();
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

process.on('message', (load: Load) => void run(load));
process.on('disconnect', () => process.exit());

async function run(load: Load): Promise<void> {
  const { pace } = load;
  const answers = 'inFlight' in pace ? await postConcurrently(load, pace) : await postSteadily(load, pace);
  process.send?.({ answers });
}

async function postSteadily(load: Load, pace: SteadyPace): Promise<readonly Answer[]> {
  const { perSecond, seconds, sockets = socketsDefault } = pace;
  agent.maxSockets = sockets;
  const total = perSecond * seconds;
  const startedAt = performance.now();
  const answers: Answer[] = [];
  let started = 0;
  let open = 0;
  const postOne = async (n: number): Promise<void> => {
    if (open >= openMax) return void answers.push([n, 0, now(), now()]);
    open++;
    answers.push(await post(load, n));
    open--;
  };
  while (started < total) {
    const due = Math.min(total, Math.ceil(((performance.now() - startedAt) / 1000) * perSecond));
    while (started < due) void postOne(load.from + started++ * batchOf(load));
    await pause(tickMs);
  }
  while (open > 0) await pause(tickMs);
  return answers.sort(([a], [b]) => a - b);
}

async function postConcurrently(load: Load, { inFlight, seconds }: BusyPace): Promise<readonly Answer[]> {
  agent.maxSockets = Math.max(inFlight, socketsDefault);
  const deadline = performance.now() + seconds * 1000;
  const answers: Answer[] = [];
  let next = load.from;
  const lane = async (): Promise<void> => {
    while (performance.now() < deadline) {
      const n = next;
      next += batchOf(load);
      const answer = await post(load, n);
      answers.push(answer);
      if (answer[1] !== 200) await pause(refusedPauseMs);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  return answers;
}

/** Random for each event, so that compression saves only what base64 adds. */
const padOf = (bytes: number): string => randomBytes((bytes / 4) * 3).toString('base64');

const batchOf = ({ publishing }: Load): number => publishing?.batch ?? 1;

function bodyOf({ bytes, publishing }: Load, n: number): object {
  const eventOf = (number: number): object => ({ n: number, pad: padOf(bytes) });
  if (publishing === undefined) return eventOf(n);
  const events = Array.from({ length: publishing.batch }, (_, i) => ({ event: eventOf(n + i), id: n + i }));
  return events.length === 1 ? (events[0] as object) : { events };
}

function post(load: Load, n: number): Promise<Answer> {
  const { urls, publishing } = load;
  const body = JSON.stringify(bodyOf(load, n));
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...(publishing === undefined ? {} : { authorization: `Bearer ${publishing.apiKey}` }),
  };
  const askedAt = now();
  return new Promise((resolve) => {
    const finish = (status: number): void => resolve([n, status, askedAt, now()]);
    const clientRequest = request(
      urls[(n / batchOf(load)) % urls.length] ?? '',
      { method: 'POST', agent, headers },
      (response) => {
        response.resume();
        response.on('end', () => finish(response.statusCode ?? 0));
      },
    );
    clientRequest.on('error', () => finish(0));
    clientRequest.end(body);
  });
}
