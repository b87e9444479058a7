// A load client and a sink, each in its own process: posts to the measured program, and notes what arrives from it.
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '../../support/until.ts';
import type { Answer, BusyPace, Load, Publishing, SteadyPace } from './client-main.ts';
import type { Arrival } from './stamping-sink.ts';

/** With larger posts, events would exceed the 1 KB that the figures are for. */
const padBytes = 1_000;

export class Traffic {
  /** The URL of the sink, without a path. */
  readonly sinkUrl: string;
  /** The time of the first delivery of each event. */
  readonly arrivals = new Map<number, number>();
  /** The deliveries of all events at all paths. */
  deliveries = 0;
  readonly #sink: ChildProcess;
  readonly #client = forkScript('client-main');
  #sent = 0;

  private constructor(sink: ChildProcess, port: number) {
    this.#sink = sink;
    this.sinkUrl = `http://127.0.0.1:${port}`;
    sink.on('message', ({ arrivals }: { arrivals: Arrival[] }) => {
      this.deliveries += arrivals.length;
      for (const [n, at] of arrivals) if (!this.arrivals.has(n)) this.arrivals.set(n, at);
    });
  }

  static async start(): Promise<Traffic> {
    const sink = forkScript('stamping-sink');
    const [{ port }] = (await once(sink, 'message')) as [{ port: number }];
    return new Traffic(sink, port);
  }

  /** Posts to each of `urls` in turn; returns every answer. */
  async load(
    urls: readonly string[],
    pace: SteadyPace | BusyPace,
    publishing?: Publishing,
  ): Promise<readonly Answer[]> {
    const batch = publishing?.batch ?? 1;
    // The first number is a multiple of the batch size, so that requests go to the URLs in turn.
    const from = Math.ceil(this.#sent / batch) * batch;
    const load: Load = { urls, pace, bytes: padBytes, from, ...(publishing === undefined ? {} : { publishing }) };
    this.#client.send(load);
    const [{ answers }] = (await once(this.#client, 'message')) as [{ answers: Answer[] }];
    this.#sent = from + answers.length * batch;
    return answers;
  }

  /** Waits until every accepted event has arrived. */
  async waitUntilArrived(answers: readonly Answer[], timeoutMs: number): Promise<void> {
    const accepted = acceptedOf(answers);
    await until('accepted events to arrive', () => accepted.every(([n]) => this.arrivals.has(n)), timeoutMs);
  }

  end(): void {
    this.#sink.kill();
    this.#client.kill();
  }
}

export const acceptedOf = (answers: readonly Answer[]): readonly Answer[] =>
  answers.filter(([, status]) => status === 200);

function forkScript(name: string): ChildProcess {
  return fork(fileURLToPath(new URL(`./${name}${extname(import.meta.url)}`, import.meta.url)));
}
