// How sources that sleep, or burn the processor, affect the rate and the p99 of another, fast source.
import { Product } from '../support/product.ts';
import { until } from '../support/until.ts';
import { Cast } from './load/cast.ts';
import { quantile, type Bench, type Figure } from './report/figure.ts';

const perSecond = 100;
const seconds = 10;
const warmUpSeconds = 3;
const sleepers = 500;
const burners = 20;
/** Deploys at once: each compiles, describes and activates. */
const deploysAtOnce = 8;
/** Triggers for each, enough to keep it busy for the whole measurement. */
const sleeperTriggers = 2;
const burnerTriggers = 10;

const component = (name: string, body: string): string => `
module.exports = { name: '${name}', version: '0.0.1', props: { http: '$.interface.http' }, async run() { ${body} } };`;
const sleeping = component('Sleeper', 'await new Promise((resolve) => setTimeout(resolve, 25000));');
/** Burns the processor up to its limit, in turns that are each short enough. */
const burning = component(
  'Burner',
  `for (;;) { const until = Date.now() + 500; while (Date.now() < until); await new Promise((resolve) => setTimeout(resolve, 0)); }`,
);

export const runIsolation: Bench = {
  name: 'run.isolation',
  runs: 1,
  async run() {
    return [
      ...(await beside('run.isolation.sleepers', {
        code: sleeping,
        count: sleepers,
        triggers: sleeperTriggers,
        slower: 1.5,
      })),
      ...(await beside('run.isolation.burners', {
        code: burning,
        count: burners,
        triggers: burnerTriggers,
        slower: 3,
      })),
    ];
  },
};

interface Neighbours {
  readonly code: string;
  readonly count: number;
  readonly triggers: number;
  /** How many times as long the p99 may be. */
  readonly slower: number;
}

interface Pace {
  /** Arrived events, divided by the time from the first request to the last arrival. */
  readonly rate: number;
  readonly p99: number;
}

async function beside(name: string, neighbours: Neighbours): Promise<readonly Figure[]> {
  const cast = await Cast.assemble(await Product.start());
  try {
    await pace(cast, warmUpSeconds);
    const alone = await pace(cast, seconds);
    await arrive(cast, neighbours);
    const among = await pace(cast, seconds);
    return [
      compared(`${name}.rate`, among.rate, alone.rate, { unit: 'events/s', goal: '>= 0.95 of bound' }),
      compared(`${name}.p99`, among.p99, alone.p99, { unit: 'ms', goal: `<= ${neighbours.slower} of bound` }),
    ];
  } finally {
    await cast.dismiss();
  }
}

const compared = (name: string, value: number, bound: number, more: { unit: string; goal: string }): Figure => ({
  name,
  value,
  bound,
  ratio: value / bound,
  ...more,
});

/** Deploys the neighbours and triggers them; their work continues after this resolves. */
async function arrive({ api }: Cast<Product>, { code, count, triggers }: Neighbours): Promise<void> {
  let left = count;
  const deploy = async (): Promise<void> => {
    while (left-- > 0) {
      const source = await api.deploySource({ component_code: code });
      for (let n = 0; n < triggers; n++) {
        const answer = await fetch(source.configured_props.http.endpoint_url, { method: 'POST', body: '{}' });
        if (!answer.ok) throw new Error(`An endpoint answered ${answer.status}`);
      }
    }
  };
  await Promise.all(Array.from({ length: deploysAtOnce }, deploy));
}

async function pace(cast: Cast<Product>, forSeconds: number): Promise<Pace> {
  const answers = await cast.load({ perSecond, seconds: forSeconds });
  const refused = answers.filter(([, status]) => status !== 200);
  const statuses = [...new Set(refused.map(([, status]) => status))].join(', ');
  if (refused.length > 0) throw new Error(`${refused.length} requests were answered ${statuses}`);
  await until('the events to arrive', () => answers.every(([n]) => cast.arrivals.has(n)), 120_000);
  const arrivals = answers.map(([n, , askedAt]) => ({ askedAt, arrivedAt: cast.arrivals.get(n) ?? Infinity }));
  const waits = arrivals.map(({ askedAt, arrivedAt }) => arrivedAt - askedAt);
  const from = Math.min(...arrivals.map(({ askedAt }) => askedAt));
  const to = Math.max(...arrivals.map(({ arrivedAt }) => arrivedAt));
  return { rate: (answers.length * 1000) / (to - from), p99: quantile(waits, 0.99) };
}
