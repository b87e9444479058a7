// A load client in its own process: posts numbered events at a fixed rate, however slow the answers are, and tells each answer.
import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';

export interface Load {
  /** Event n goes to the one that n falls on. */
  readonly urls: readonly string[];
  readonly perSecond: number;
  readonly seconds: number;
  readonly bytes: number;
  /** The first event's number. */
  readonly from: number;
}

/** One answer: the event's number, its status (0: none), and when it was asked and answered, in epoch milliseconds. */
export type Answer = readonly [n: number, status: number, askedAt: number, answeredAt: number];

const tickMs = 5;
const socketsMax = 64;
const agent = new Agent({ keepAlive: true, maxSockets: socketsMax });
const now = (): number => performance.timeOrigin + performance.now();

process.on('message', (load: Load) => void run(load));
process.on('disconnect', () => process.exit());

async function run(load: Load): Promise<void> {
  const answers: Answer[] = [];
  const total = load.perSecond * load.seconds;
  const startedAt = performance.now();
  const pending: Promise<void>[] = [];
  while (pending.length < total) {
    const due = Math.min(total, Math.ceil(((performance.now() - startedAt) / 1000) * load.perSecond));
    while (pending.length < due) pending.push(post(load, load.from + pending.length, answers));
    await new Promise((resolve) => setTimeout(resolve, tickMs));
  }
  await Promise.all(pending);
  process.send?.({ answers });
}

/** Each event's own, so that compression finds no more than base64 leaves it. */
const padOf = (bytes: number): string => randomBytes((bytes / 4) * 3).toString('base64');

function post(load: Load, n: number, answers: Answer[]): Promise<void> {
  const body = JSON.stringify({ n, pad: padOf(load.bytes) });
  const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
  const askedAt = now();
  return new Promise((resolve) => {
    const done = (status: number): void => {
      answers.push([n, status, askedAt, now()]);
      resolve();
    };
    const sent = request(load.urls[n % load.urls.length] ?? '', { method: 'POST', agent, headers }, (response) => {
      response.resume();
      response.on('end', () => done(response.statusCode ?? 0));
    });
    sent.on('error', () => done(0));
    sent.end(body);
  });
}
