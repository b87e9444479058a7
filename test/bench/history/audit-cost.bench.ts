// The processor time for each event that signing adds: compares the product with and without its audit stage.
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Product } from '../../support/product.ts';
import { LoadSetup } from '../load/load-setup.ts';
import type { SteadyPace } from '../load/client-main.ts';
import { usageOfGroup } from '../load/process-group.ts';
import { acceptedOf } from '../load/traffic.ts';
import { warmUpSeconds } from '../load/warm-up.ts';
import { medianOf } from '../report/figure.ts';
import type { Bench, Figure } from '../report/figure.ts';

const sources = 64;
const pace: SteadyPace = { perSecond: 400, seconds: 10 };
const warmUp: SteadyPace = { perSecond: 400, seconds: warmUpSeconds };
/** Both sides take turns, so that other load on the machine affects both. */
const rounds = 5;
const settleMs = 60_000;
/** Both run from separate modules: bundled apps, as in `npm start`, cost more for each event, independent of audit. */
const entryAt = (path: string): string => fileURLToPath(new URL(`${path}${extname(import.meta.url)}`, import.meta.url));
const withAudit = entryAt('../../../apps/standalone/main');
const withoutAudit = entryAt('../bare/without-audit-main');

export const auditCostBench: Bench = { name: 'audit.flow', runs: 1, run };

async function run(): Promise<readonly Figure[]> {
  const audited = await LoadSetup.start(await Product.start({ entry: withAudit }), { sources, webhooks: 1 });
  const unaudited = await LoadSetup.start(await Product.start({ entry: withoutAudit }), { sources, webhooks: 1 });
  try {
    for (const setup of [audited, unaudited]) await cpuMsOf(setup, warmUp);
    const [signing, plain]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      plain.push(await cpuMsOf(unaudited, pace));
      signing.push(await cpuMsOf(audited, pace));
    }
    const [value, bound] = [medianOf(signing), medianOf(plain)];
    return [{ name: 'audit.flow', value, unit: 'ms/event', bound, ratio: value / bound, goal: '<= 1.05 of bound' }];
  } finally {
    await audited.stop();
    await unaudited.stop();
  }
}

/** Processor time of the process group for each event, until the last one has arrived. */
async function cpuMsOf(setup: LoadSetup<Product>, load: SteadyPace): Promise<number> {
  const before = usageOfGroup(setup.product.pid).cpuMs;
  const accepted = acceptedOf(await setup.load(load));
  await setup.traffic.waitUntilArrived(accepted, settleMs);
  return (usageOfGroup(setup.product.pid).cpuMs - before) / accepted.length;
}
