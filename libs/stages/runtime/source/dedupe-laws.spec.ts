// The laws of dedupe: across runs, hooks, restarts and updates, exactly the emits that a plain model accepts pass.
import fc from 'fast-check';
import type { EmitCall } from '../../../domain/component/emit-call.ts';
import type { EmittedEvent, RunEvent } from '../../../domain/channel/messages.ts';
import type { DedupeStrategy } from '../../../domain/component/manifest.ts';
import type { Trigger, TriggerKind } from '../../../domain/source/messages.ts';
import type { Json } from '../../../domain/json.ts';
import type { Sealed } from '../../../domain/secrets/sealed.ts';
import { checkRecord } from '../../../domain/record/check-record.ts';
import type { TriggerResult } from '../outcome/trigger-result.ts';
import { queuedTriggerOf } from './queued-trigger.ts';
import { runtimeLimits } from '../runtime-limits.ts';
import { BundleUses } from '../bundles/bundle-uses.ts';
import { WaitingEmits } from '../output/waiting-emits.ts';
import { OutputBatch } from '../output/output-batch.ts';
import { laneOf, SourceState } from './source-state.ts';
import type { SavedState } from './source-state.ts';

const sealer = {
  open: ({ $sealed }: Sealed): Json => JSON.parse($sealed) as Json,
  seal: ($sealed: string): Sealed => ({ $sealed }),
};

interface Emitted {
  readonly id?: string | number;
  readonly ts?: number;
}

type Step =
  | { readonly do: 'invoke'; readonly kind: TriggerKind; readonly emits: readonly Emitted[]; readonly fails: boolean }
  | { readonly do: 'restart' }
  | { readonly do: 'update'; readonly strategy: DedupeStrategy | undefined };

/** Few enough ids that they repeat, but more than are remembered, in all the forms that components use. */
const id = fc.oneof(
  { weight: 8, arbitrary: fc.nat(130) },
  { weight: 8, arbitrary: fc.nat(5) },
  { weight: 6, arbitrary: fc.nat(130).map(String) },
  { weight: 3, arbitrary: fc.nat(9).map((n) => `90071992547409${90 + n}`) },
  { weight: 1, arbitrary: fc.constantFrom('', ' ', 'a', '-3', ' 12 ', '1e3', '0x10', 1.5, -7, '1.5') },
  { weight: 1, arbitrary: fc.constant('x'.repeat(200)) },
  { weight: 1, arbitrary: fc.constant(undefined) },
);
const emitted = fc
  .tuple(id, fc.option(fc.nat(5), { nil: undefined }))
  .map(([given, ts]) => ({ ...(given === undefined ? {} : { id: given }), ...(ts === undefined ? {} : { ts }) }));
const strategy = fc.constantFrom<DedupeStrategy | undefined>('unique', 'greatest', 'last', undefined);
const emits = fc.oneof(
  { weight: 3, arbitrary: fc.array(emitted, { maxLength: 12 }) },
  // Like a polled feed: the same list again, and a little more.
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.nat(40), fc.nat(120))
      .map(([from, n]) => Array.from({ length: n }, (_, i) => ({ id: from + i }))),
  },
);
const invoke = fc.record({
  do: fc.constant('invoke' as const),
  kind: fc.constantFrom<TriggerKind>('http', 'timer', 'manual', 'deploy', 'activate', 'deactivate'),
  emits,
  fails: fc.boolean(),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: invoke },
  { weight: 2, arbitrary: fc.constant({ do: 'restart' } as const) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('update' as const), strategy }) },
);

/** A source as the runtime keeps it, with the runtime's own fold; collects the records for the log. */
class Source {
  readonly events: EmittedEvent[] = [];
  readonly runs: RunEvent[] = [];
  #saved: SavedState | undefined;
  #state = new SourceState('dc_1', undefined, sealer);
  #offset = 0;

  invoke(step: Extract<Step, { do: 'invoke' }>, calls: readonly EmitCall[], by: DedupeStrategy | undefined): void {
    const trigger: Trigger = {
      id: `req_${this.#offset}`,
      type: 'TriggerRequested',
      version: 1,
      key: 'dc_1',
      at: 1,
      workspace: 'o_1',
      correlationId: 'req_1',
      causationId: 'req_1',
      data: { sourceId: 'dc_1', kind: step.kind, revision: 1 },
    };
    const offset = this.#offset++;
    const ports = { bundleUses: new BundleUses(0), logs: { isReported: () => false }, begin: () => {} };
    const options = { partition: 0, bytesMax: 8 * 1024 * 1024, waiting: new WaitingEmits(runtimeLimits), ...ports };
    const batch = new OutputBatch(options, 1_000 - offset);
    batch.add(resultOf(trigger, offset, { calls, by, fails: step.fails }), this.#state);
    for (const { topic, record } of batch.records(offset + 1)) {
      expect([topic, checkRecord(topic, JSON.parse(JSON.stringify(record)))]).toEqual([topic, undefined]);
      if (topic === 'channels') this.events.push(record as EmittedEvent);
      if (topic === 'runs') this.runs.push(record as RunEvent);
      if (topic === 'state') this.#saved = JSON.parse(JSON.stringify(record.data)) as SavedState;
    }
  }

  /** Keeps only what was appended. */
  restart(): void {
    this.#state = new SourceState('dc_1', this.#saved, sealer);
  }
}

function resultOf(
  trigger: Trigger,
  offset: number,
  { calls, by, fails }: { calls: readonly EmitCall[]; by: DedupeStrategy | undefined; fails: boolean },
): TriggerResult {
  const stored = { ...trigger, topic: 'triggers', partition: 0, offset } as const;
  const error = { name: 'Error', message: 'it threw' };
  const outcome = fails ? ({ outcome: 'failed', error } as const) : ({ outcome: 'succeeded' } as const);
  return {
    queued: { ...queuedTriggerOf(stored), lane: laneOf(trigger.data.kind) },
    trigger,
    end: { ...outcome, startedAt: 1, durationMs: 1, console: [], emits: calls },
    strategy: by,
    dbWrites: [],
    isWarm: true,
    bytes: 1_000,
    heldBytes: 1_000,
  };
}

/**
 * The strategies (docs/reference/component-api.md, "Dedupe") in brief: keeps every id that ever passed, and derives
 * from them what each strategy compares.
 */
class Model {
  readonly kept: number[] = [];
  unusable = 0;
  #by: DedupeStrategy | undefined;
  #passed: (string | number)[] = [];

  run(calls: readonly (Emitted & { readonly n: number })[], by: DedupeStrategy | undefined): void {
    const ordered = calls.toSorted((a, b) => (a.ts ?? Infinity) - (b.ts ?? Infinity));
    this.unusable = 0;
    if (by === undefined) this.kept.push(...ordered.map(({ n }) => n));
    if (by === undefined || calls.length === 0) return;
    if (by !== this.#by) this.#passed = [];
    this.#by = by;
    const usable = ordered.filter((call) => (by === 'greatest' ? exact(call.id) : call.id) !== undefined);
    this.unusable = ordered.length - usable.length;
    const texts = usable.map((call) => String(call.id));
    const last = this.#passed.at(-1);
    const from = by === 'last' && last !== undefined ? texts.lastIndexOf(String(last)) + 1 : 0;
    for (const call of usable.slice(from)) if (this.#passes(call, by)) this.#pass(call);
  }

  #passes(call: Emitted, by: DedupeStrategy): boolean {
    if (by === 'last') return true;
    if (by === 'unique') return !this.#passed.slice(-100).map(String).includes(String(call.id));
    return this.#passed.every((before) => compare(exact(call.id), exact(before)) > 0);
  }

  #pass(call: Emitted & { readonly n: number }): void {
    this.#passed.push(call.id ?? '');
    this.kept.push(call.n);
  }
}

/** The number in an id; whole numbers exactly, however long they are. */
function exact(id: string | number | undefined): bigint | number | undefined {
  if (typeof id === 'number') return Number.isFinite(id) ? id : undefined;
  const text = id?.trim() ?? '';
  if (/^-?\d{1,128}$/.test(text)) return BigInt(text);
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined;
}

/** JavaScript compares a BigInt with a number by value. */
const compare = (a: bigint | number = 0, b: bigint | number = 0): number => (a > b ? 1 : a < b ? -1 : 0);

test('exactly the emits that the model lets pass become events, across runs, hooks, restarts and updates', () => {
  const property = fc.property(strategy, fc.array(step, { maxLength: 25 }), (first, steps) => {
    const [source, model] = [new Source(), new Model()];
    let by = first;
    let n = 0;
    for (const one of steps) {
      if (one.do === 'restart') source.restart();
      else if (one.do === 'update') by = one.strategy;
      else {
        const calls = one.emits.map((call) => ({ ...call, n: n++ }));
        const before = model.kept.length;
        model.run(calls, by);
        const emitCalls = calls.map(({ n: event, ...call }) => ({ ...call, event, channel: '' }));
        source.invoke(one, emitCalls, by);
        const { data } = source.runs.at(-1) ?? {};
        expect(data?.emitted).toEqual(source.events.slice(before).map((event) => event.data.eventId));
        expect(data?.deduped).toBe(calls.length - (model.kept.length - before));
        const printed = data?.console.map(({ text }) => text).join() ?? '';
        if (model.unusable === 0) expect(printed).toBe('');
        else expect(printed).toContain(`${model.unusable} emit`);
      }
    }
    expect(source.events.map(({ data }) => data.event)).toEqual(model.kept);
    expect(source.events.map(({ data }) => Number(data.eventId.split('-')[1]))).toEqual(
      model.kept.map((_, seq) => seq),
    );
    const times = source.events.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });
  fc.assert(property, { numRuns: 400 });
});

test.each([
  ['unique', 'every $emit needs an id.'],
  ['greatest', 'every $emit needs an id that is a number.'],
  ['last', 'every $emit needs an id.'],
] as const)('with the strategy %s, a run that emits without an id has a warning in its record', (by, advice) => {
  const source = new Source();
  const calls = [
    { event: 1, channel: '' },
    { event: 2, channel: '', id: 2 },
    { event: 3, channel: '' },
  ];
  source.invoke({ do: 'invoke', kind: 'http', emits: [], fails: false }, calls, by);
  expect(source.events.map(({ data }) => data.event)).toEqual([2]);
  const [line] = source.runs[0]?.data.console ?? [];
  expect(line).toMatchObject({ level: 'warn', text: expect.stringContaining(advice) });
  expect(line?.text).toMatch(new RegExp(`^2 emits were dropped: the dedupe strategy '${by}'`));
});
