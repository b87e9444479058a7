import { componentText } from './init.ts';

const request = { method: 'GET', path: '/', query: {}, body: '' };
const tick = { timestamp: 1_777_000_000 };
const [requestEvent, tickEvent] = [request, { at: tick.timestamp }];

test.each([
  { options: {}, given: [request], emits: [requestEvent] },
  { options: { http: true, db: true }, given: [request], emits: [requestEvent] },
  { options: { timer: true }, given: [tick], emits: [tickEvent] },
  { options: { http: true, timer: true }, given: [request, tick], emits: [requestEvent, tickEvent] },
])('a component that is begun with $options emits what its interfaces give', async ({ options, given, emits }) => {
  const emitted: unknown[] = [];
  const self = { $emit: (event: unknown) => emitted.push(event), db: new Map() };
  const run = runOf(componentText('orders', options));
  for (const event of given) await run.call(self, event);
  expect(emitted).toEqual(emits);
});

type Run = (this: object, event: object) => Promise<void>;

function runOf(text: string): Run {
  const component = new Function('console', `return ${text.slice(text.indexOf('{'))}`) as (console: object) => {
    run: Run;
  };
  return component({ log: () => {} }).run;
}
