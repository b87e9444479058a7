// How sources that sleep, or burn the processor, affect the rate and the p99 of another, fast source.
import { Product } from '../support/product.ts';
import { until } from '../support/until.ts';
import { LoadSetup } from './load/load-setup.ts';
import { warmUpSeconds } from './load/warm-up.ts';
import { quantile, type Bench, type Figure } from './report/figure.ts';

const perSecond = 100;
const seconds = 10;
const sleepers = 500;
const burners = 20;
/** Deploys at once: each compiles, describes and activates. */
const deploysAtOnce = 8;
/** Triggers for each, enough to keep it busy for the whole measurement. */
const sleeperTriggers = 2;
const burnerTriggers = 10;

const component = (name: string, body: string): string => `
module.exports = { name: '${name}', version: '0.0.1', props: { http: '$.interface.http' }, async run() { ${body} } };`;
const sleeperCode = component('Sleeper', 'await new Promise((resolve) => setTimeout(resolve, 25000));');
/** Burns the processor up to its limit, in turns that are each short enough. */
const burnerCode = component(
  'Burner',
  `for (;;) { const until = Date.now() + 500; while (Date.now() < until); await new Promise((resolve) => setTimeout(resolve, 0)); }`,
);

export const runIsolation: Bench = {
  name: 'run.isolation',
  runs: 1,
  async run() {
    return [
      ...(await compareBeside('run.isolation.sleepers', {
        code: sleeperCode,
        count: sleepers,
        triggers: sleeperTriggers,
        slowdownMax: 1.5,
      })),
      ...(await compareBeside('run.isolation.burners', {
        code: burnerCode,
        count: burners,
        triggers: burnerTriggers,
        slowdownMax: 3,
      })),
    ];
  },
};

interface Neighbours {
  readonly code: string;
  readonly count: number;
  readonly triggers: number;
  /** How many times as long the p99 may be. */
  readonly slowdownMax: number;
}

interface Throughput {
  /** Arrived events, divided by the time from the first request to the last arrival. */
  readonly rate: number;
  readonly p99: number;
}

async function compareBeside(name: string, neighbours: Neighbours): Promise<readonly Figure[]> {
  const setup = await LoadSetup.start(await Product.start());
  try {
    await measureThroughput(setup, warmUpSeconds);
    const alone = await measureThroughput(setup, seconds);
    await deployNeighbours(setup, neighbours);
    const besideNeighbours = await measureThroughput(setup, seconds);
    return [
      comparisonFigure(`${name}.rate`, besideNeighbours.rate, alone.rate, {
        unit: 'events/s',
        goal: '>= 0.95 of bound',
      }),
      comparisonFigure(`${name}.p99`, besideNeighbours.p99, alone.p99, {
        unit: 'ms',
        goal: `<= ${neighbours.slowdownMax} of bound`,
      }),
    ];
  } finally {
    await setup.stop();
  }
}

const comparisonFigure = (
  name: string,
  value: number,
  bound: number,
  more: { unit: string; goal: string },
): Figure => ({
  name,
  value,
  bound,
  ratio: value / bound,
  ...more,
});

/** Deploys the neighbours and triggers them; their work continues after this resolves. */
async function deployNeighbours({ api }: LoadSetup<Product>, { code, count, triggers }: Neighbours): Promise<void> {
  let remaining = count;
  const deploy = async (): Promise<void> => {
    while (remaining-- > 0) {
      const source = await api.deploySource({ component_code: code });
      for (let n = 0; n < triggers; n++) {
        const response = await fetch(source.configured_props.http.endpoint_url, { method: 'POST', body: '{}' });
        if (!response.ok) throw new Error(`An endpoint answered ${response.status}`);
      }
    }
  };
  await Promise.all(Array.from({ length: deploysAtOnce }, deploy));
}

async function measureThroughput(setup: LoadSetup<Product>, forSeconds: number): Promise<Throughput> {
  const answers = await setup.load({ perSecond, seconds: forSeconds });
  const refused = answers.filter(([, status]) => status !== 200);
  const statuses = [...new Set(refused.map(([, status]) => status))].join(', ');
  if (refused.length > 0) throw new Error(`${refused.length} requests were answered ${statuses}`);
  await until('the events to arrive', () => answers.every(([n]) => setup.arrivals.has(n)), 120_000);
  const arrivals = answers.map(([n, , askedAt]) => ({ askedAt, arrivedAt: setup.arrivals.get(n) ?? Infinity }));
  const waits = arrivals.map(({ askedAt, arrivedAt }) => arrivedAt - askedAt);
  const from = Math.min(...arrivals.map(({ askedAt }) => askedAt));
  const to = Math.max(...arrivals.map(({ arrivedAt }) => arrivedAt));
  return { rate: (answers.length * 1000) / (to - from), p99: quantile(waits, 0.99) };
}
