// A load client and a sink, each in a process of its own: what is posted to whoever is measured, and what arrives from there.
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '../../support/until.ts';
import type { Answer, BusyPace, Load, Publishing, SteadyPace } from './client-main.ts';
import type { Arrival } from './stamping-sink.ts';

/** Posts larger than this grow the events past the 1 KB that the figures are about. */
const padBytes = 1_000;

export class Traffic {
  /** Where the sink is reached, without a path. */
  readonly sinkUrl: string;
  /** When the first of each event came. */
  readonly arrivals = new Map<number, number>();
  /** Of all events, at whatever path. */
  deliveries = 0;
  readonly #sink: ChildProcess;
  readonly #client = forked('client-main');
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
    const sink = forked('stamping-sink');
    const [{ port }] = (await once(sink, 'message')) as [{ port: number }];
    return new Traffic(sink, port);
  }

  /** Posts to each of `urls` in turn; gives every answer. */
  async load(
    urls: readonly string[],
    pace: SteadyPace | BusyPace,
    publishing?: Publishing,
  ): Promise<readonly Answer[]> {
    const batch = publishing?.batch ?? 1;
    // Requests go to the URLs in turn, wherever the numbers begin.
    const from = Math.ceil(this.#sent / batch) * batch;
    const load: Load = { urls, pace, bytes: padBytes, from, ...(publishing === undefined ? {} : { publishing }) };
    this.#client.send(load);
    const [{ answers }] = (await once(this.#client, 'message')) as [{ answers: Answer[] }];
    this.#sent = from + answers.length * batch;
    return answers;
  }

  /** Every accepted event has arrived. */
  async settled(answers: readonly Answer[], withinMs: number): Promise<void> {
    const accepted = acceptedOf(answers);
    await until('accepted events to arrive', () => accepted.every(([n]) => this.arrivals.has(n)), withinMs);
  }

  end(): void {
    this.#sink.kill();
    this.#client.kill();
  }
}

export const acceptedOf = (answers: readonly Answer[]): readonly Answer[] =>
  answers.filter(([, status]) => status === 200);

function forked(name: string): ChildProcess {
  return fork(fileURLToPath(new URL(`./${name}${extname(import.meta.url)}`, import.meta.url)));
}
