// The cost of streams: the memory of a thousand idle ones, and the processor time of 200 events/s to 500 of them.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '../../libs/client/index.ts';
import { Product } from '../support/product.ts';
import { until } from '../support/until.ts';
import { figure, quantile } from './report/figure.ts';
import type { Bench, Figure } from './report/figure.ts';

const idleStreams = 1_000;
const busyStreams = 500;
const runsPerSecond = 10;
const eventsPerRun = 20;
const measuredMs = 10_000;
/** The unit of processor time in `/proc`: hundredths of a second. */
const msPerTick = 10;

export const sseBench: Bench = { name: 'sse', runs: 1, run };

const component = `export default { name: 'Burst', version: '1',
  run({ count }) { for (let n = 0; n < count; n++) this.$emit({ n, text: 'x'.repeat(200) }); } }`;

async function run(): Promise<readonly Figure[]> {
  const product = await Product.start();
  const streams: Stream[] = [];
  try {
    const apiKey = await product.apiKey();
    const client = createClient({ baseUrl: product.baseUrl, apiKey });
    const { id } = await client.deploySource({ component_code: component });
    const emit = async (): Promise<void> => void (await client.runNow(id, { event: { count: eventsPerRun } }));
    const alone = await measureProcessorMs(product.pid, emit);
    const before = residentMiB(product.pid);
    while (streams.length < idleStreams) streams.push(await Stream.open(product.port, { id, apiKey }));
    await delay(1_000);
    const memory = residentMiB(product.pid) - before;
    for (const stream of streams.splice(busyStreams)) stream.close();
    const loaded = await measureProcessorMs(product.pid, emit);
    const events = runsPerSecond * eventsPerRun * (measuredMs / 1_000);
    await until('every event to be sent', () => streams[0] !== undefined && streams[0].latenesses.length >= events);
    const allLatenesses = streams.flatMap((stream) => stream.latenesses);
    const frames = streams.reduce((sum, stream) => sum + stream.latenesses.length, 0);
    return [
      figure('sse.memory.1000', memory, 'MiB', '<= 200 MiB'),
      figure('sse.frames', frames / (measuredMs / 1_000), 'per s'),
      figure('sse.cpu', ((loaded - alone) * 1_000) / frames, 'us per frame'),
      figure('sse.late.p50', quantile(allLatenesses, 0.5), 'ms'),
      figure('sse.late.p99', quantile(allLatenesses, 0.99), 'ms'),
    ];
  } finally {
    for (const stream of streams) stream.close();
    await product.remove();
  }
}

/** Processor time of the service in ms while events arrive at their rate. */
async function measureProcessorMs(pid: number, emit: () => Promise<void>): Promise<number> {
  const before = processorMs(pid);
  const sent: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let n = 0; n < (runsPerSecond * measuredMs) / 1_000; n++) {
    await delay(Math.max(0, startedAt + (n * 1_000) / runsPerSecond - performance.now()));
    sent.push(emit());
  }
  await Promise.all(sent);
  await delay(500);
  return processorMs(pid) - before;
}

/** User and system time of all threads. */
function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * msPerTick;
}

function residentMiB(pid: number): number {
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(found?.[1] ?? 0) / 1_024;
}

/** Parses only the time in each frame, because this process shares the machine with the measured service. */
class Stream {
  /** Milliseconds from the creation of each event to its arrival. */
  readonly latenesses: number[] = [];
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('latin1').on('data', (text: string) => this.#read(text));
    socket.on('error', () => socket.destroy());
  }

  static async open(port: number, { id, apiKey }: { readonly id: string; readonly apiKey: string }): Promise<Stream> {
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET /v1/sources/${id}/sse HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${apiKey}\r\n\r\n`);
    const stream = new Stream(socket);
    await new Promise((resolve) => socket.once('data', resolve));
    return stream;
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(text: string): void {
    const now = Date.now();
    for (let at = text.indexOf('id: '); at !== -1; at = text.indexOf('id: ', at + 4))
      this.latenesses.push(now - Number.parseInt(text.slice(at + 4, at + 17), 10));
  }
}
