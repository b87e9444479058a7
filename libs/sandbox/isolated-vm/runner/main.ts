// The script of a runner process: receives orders over its channel, runs components in isolates, ends with the product.
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { endWithParent } from '../../../primitives/worker-pool/end-with-parent.ts';
import { beatMs } from '../runner-protocol.ts';
import type { FromRunner, RunnerConfig, ToRunner } from '../runner-protocol.ts';
import { describe } from './describe.ts';
import { Instances } from './instances.ts';
import type { InstanceHost } from './instance.ts';
import { CryptoWorkers } from './crypto/workers.ts';
import { Network } from './network/network.ts';
import { StoreClient } from './network/store-client.ts';
import { Processors } from './isolate/processors.ts';
import { readSnapshot } from './isolate/snapshot.ts';
import { SpareIsolates } from './isolate/spare-isolates.ts';

/**
 * Leaves one processor to everything else. Low priority alone is not enough, because the kernel preempts only every few
 * milliseconds, and a quick run would wait that long at each of its steps.
 */
const computingMax = Math.max(1, availableParallelism() - 1);
/** Limits of processor time are seconds, so this interval is exact enough. */
const cpuCheckMs = 100;

const config = JSON.parse(process.argv[2] ?? '{}') as RunnerConfig;
const { limits } = config;

/** Never exit(): V8 may crash on the way out while isolates are hot (docs/reference/runtime.md, "Exit"). */
const die = (): void => void process.kill(process.pid, 'SIGKILL');
endWithParent(die);
// A late rejection of isolated-vm, after its isolate is gone, must not end the other isolates.
process.on('unhandledRejection', () => {});

let outbox: FromRunner[] = [];

/** Sends messages up to the first long one, and the rest in a later turn, so that other work comes in between. */
function flush(): void {
  const last = outbox.findIndex(isLong);
  const batch = last === -1 ? outbox : outbox.slice(0, last + 1);
  outbox = outbox.slice(batch.length);
  process.send?.(batch);
  if (outbox.length > 0) setImmediate(flush);
}

/** Whether the message is long enough that the product's process should read it in a separate turn. */
const isLong = (message: FromRunner): boolean =>
  message.type === 'emitted' || (message.type === 'ended' && message.report !== undefined);

function send(message: FromRunner): void {
  if (outbox.push(message) === 1) setImmediate(flush);
}

const storeClient = new StoreClient(send);

const host: InstanceHost = {
  limits,
  template: {
    snapshot: config.snapshotPath === undefined ? undefined : readSnapshot(config.snapshotPath),
    bundle: readFileSync(config.bundlePath, 'utf8'),
    memoryMb: limits.memoryMb,
    guestLimits: limits.guest,
    cryptoWorkers: new CryptoWorkers(),
    ...(config.yields === true ? { processors: new Processors(computingMax) } : {}),
  },
  network: new Network(limits.network, config.egress),
  askStore: (id, text) => storeClient.ask(id, text),
  send,
  unrecoverable: (reason, sourceId) =>
    send({ type: 'unrecoverable', reason, ...(sourceId === undefined ? {} : { sourceId }) }),
};

const instances = new Instances(host);
const spare = new SpareIsolates(host.template);

function handleOrder(order: ToRunner): void {
  if (order.type === 'invoke') instances.invoke(order);
  else if (order.type === 'describe') void describe(host, spare, order);
  else if (order.type === 'store_answered') storeClient.handleAnswer(order);
  else if (order.type === 'proxy') host.network.setProxy(order.proxy);
  else instances.unload(order.sourceId);
}

let orders: readonly ToRunner[] = [];
let isHandling = false;

/** Handles orders up to one that makes an isolate, which takes some milliseconds, and the rest in a later turn. */
function handleOrders(): void {
  for (const [at, order] of orders.entries()) {
    handleOrder(order);
    if (order.type !== 'invoke' || order.load === undefined) continue;
    orders = orders.slice(at + 1);
    setImmediate(handleOrders);
    return;
  }
  orders = [];
  isHandling = false;
}

process.on('message', (batch: readonly ToRunner[]) => {
  orders = orders.length === 0 ? batch : [...orders, ...batch];
  if (isHandling) return;
  isHandling = true;
  handleOrders();
});

function beat(): void {
  const rssBytes = process.memoryUsage.rss();
  if (rssBytes > limits.rssSoftBytes) instances.shrink();
  send({ type: 'beat', rssBytes, isolates: instances.size });
}

setInterval(beat, beatMs);
setInterval(() => instances.check(), cpuCheckMs);
beat();
