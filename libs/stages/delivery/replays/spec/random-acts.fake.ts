// Makes random requests and faults around one subscription from a seed, and checks its records whenever it is killed.
import { timeOfEvent } from '../../../../domain/channel/event-id.ts';
import type { CursorCounters, CursorEvent } from '../../../../domain/delivery/messages.ts';
import { finishedOf } from '../../../../domain/delivery/cursor.ts';
import type { ReplayEvent } from '../../../../domain/delivery/replay/messages.ts';
import { hasEnded } from '../../../../domain/delivery/replay/replay.ts';
import { pause, until } from '../../../../../test/support/until.ts';
import type { FakeCall, ScriptedOutcome } from '../../../../webhooks/webhook.fake.ts';
import { ReplayWorld } from './replay-world.fake.ts';
import { checkCounters, eventStatesOf } from './event-states.fake.ts';

type Settings = NonNullable<Parameters<typeof ReplayWorld.with>[0]>;
export type Draw = (end: number) => number;

/** The time of the first event; each further batch is later. */
const firstMs = 1_000;
const sources = ['dc_a', 'dc_b'] as const;

type Advanced = Extract<CursorEvent, { type: 'CursorAdvanced' }>['data'];
type Replayed = Extract<ReplayEvent, { type: 'ReplayAdvanced' }>['data'];

/** Returns a random number generator, mulberry32. */
export function drawFrom(seed: number): Draw {
  let state = seed;
  return (end) => {
    state = (state + 0x6d2b79f5) | 0;
    let mix = Math.imul(state ^ (state >>> 15), 1 | state);
    mix = (mix + Math.imul(mix ^ (mix >>> 7), 61 | mix)) ^ mix;
    return Math.floor((((mix ^ (mix >>> 14)) >>> 0) / 2 ** 32) * end);
  };
}

export class RandomActs {
  readonly world: ReplayWorld;
  readonly #draw: Draw;
  readonly #settings: Settings;
  readonly #isWide: boolean;
  readonly actNames: string[] = [];
  #emitted = 0;
  /** For each replay, the requested source, or every source. */
  readonly #replays: string[] = [];
  #generation = 1;
  /** The time before which retention has given up events, epoch ms. */
  #before = 0;
  readonly #deleted = new Set<string>();
  /** How many of 100 attempts fail, and how many hang until they are released. */
  #failing = 30;
  #hanging = 10;

  private constructor(
    world: ReplayWorld,
    { draw, settings, isWide }: { readonly draw: Draw; readonly settings: Settings; readonly isWide: boolean },
  ) {
    this.world = world;
    this.#draw = draw;
    this.#settings = settings;
    this.#isWide = isWide;
    world.webhook.script = () => this.#answerAttempt();
  }

  /** Starts a stage with a subscription to one source, or to every source, of which there are two. */
  static async begin(draw: Draw, settings: Settings): Promise<RandomActs> {
    const flush = [{ flushCompletions: 3, flushMs: 2 }, { flushMs: 15 }, { flushMs: 60 }][draw(3)];
    const world = new ReplayWorld(flush);
    await world.addKey();
    await world.addWebhook('wh_1', { retrySchedule: [0.005], ...settings });
    const isWide = draw(3) === 0;
    await world.subscribe('sub_1', { listenerId: 'wh_1', emitterId: isWide ? 'dc_*' : 'dc_a', channelEnd: 0 });
    await world.start();
    return new RandomActs(world, { draw, settings, isWide });
  }

  get emitted(): number {
    return this.#emitted;
  }

  async act(): Promise<void> {
    const draw = this.#draw;
    const acts = [
      this.#emit,
      this.#emit,
      this.#replay,
      this.#replay,
      this.#cancel,
      this.#retry,
      this.#retry,
      this.#discard,
      this.#changeRates,
      this.#changeRates,
      this.#release,
      this.#release,
      this.#change,
      this.#change,
      this.#delete,
      this.#kill,
      this.#retain,
    ];
    const act = acts[draw(acts.length)] ?? this.#emit;
    this.actNames.push(act.name);
    await act.call(this);
    // No pause, some turns of the event loop, or as long as a flush.
    const restMs = [undefined, undefined, 0, 1, 3, 8][draw(6)];
    if (restMs !== undefined) await pause(restMs);
  }

  /** Lets everything succeed from now on and end; then replays the parked events. */
  async end(): Promise<void> {
    this.#failing = 0;
    this.#hanging = 0;
    this.world.webhook.script = () => ({ status: 200 });
    await this.world.addWebhook('wh_1', {
      ...this.#settings,
      retrySchedule: [0.005, 0.005],
      generation: this.#generation++,
    });
    await this.#settled();
    await this.world.requestReplay('rpl_end', { only: 'parked', emitterId: this.#isWide ? 'dc_*' : 'dc_a' });
    await this.world.whenDone('rpl_end');
    await this.#settled();
  }

  /** Parked events that can be sent again. */
  get parked(): readonly string[] {
    const states = [...eventStatesOf(this.world.deliveries('sub_1'))];
    return states
      .filter(([id, { state }]) => state === 'parked' && !this.#deleted.has(id) && timeOfEvent(id) >= this.#before)
      .map(([id]) => id);
  }

  /** Checks what a kill leaves: the cursor's record must match the attempts on the log. */
  check(): void {
    for (const sourceId of sources) {
      checkCounters(this.#counters(sourceId), eventStatesOf(this.world.deliveries('sub_1'), sourceId));
    }
    for (const { key, type, data } of this.world.log.records('cursors')) {
      if (type !== 'CursorAdvanced' || data === undefined) continue;
      const { counters, open, report } = data as Advanced;
      const others = finishedOf(counters) + open.length + (report?.waiting ?? 0) + (report?.behind ?? 0);
      expect({ key, published: counters.published }).toEqual({ key, published: others });
    }
    for (const { data } of this.world.log.records('replays')) {
      const { replayId, total, counters } = (data ?? { total: null }) as Replayed;
      if (total !== null)
        expect({ replayId, above: Math.max(counters.published - total, 0) }).toEqual({ replayId, above: 0 });
    }
  }

  /** How many events the subscription has received so far. */
  get published(): number {
    return sources.reduce((sum, sourceId) => sum + (this.#counters(sourceId)?.published ?? 0), 0);
  }

  #counters(sourceId: string): CursorCounters | undefined {
    return this.world.cursor(`sub_1/${sourceId}`)?.data['counters'] as CursorCounters | undefined;
  }

  get #finished(): number {
    return sources.reduce((sum, sourceId) => sum + this.world.finished(`sub_1/${sourceId}`), 0);
  }

  #source(): string {
    return this.#isWide ? (sources[this.#draw(2)] ?? 'dc_a') : 'dc_a';
  }

  async #settled(): Promise<void> {
    const endAll = (): void => {
      for (const call of this.world.webhook.calls) if (call.outcome === undefined) call.settle({ status: 200 });
    };
    await until('everything to be finished', () => {
      endAll();
      return this.#finished === this.#emitted;
    });
    await until('the replays to end', () => {
      endAll();
      return this.#replays
        .map((_, n) => this.world.replay(`rpl_${n}`))
        .every((replay) => replay === undefined || hasEnded(replay.state as 'done'));
    });
  }

  #answerAttempt(): ScriptedOutcome {
    const drawn = this.#draw(100);
    if (drawn < this.#hanging) return 'hangs';
    return { status: drawn < this.#hanging + this.#failing ? 503 : 200 };
  }

  async #emit(): Promise<void> {
    const first = this.#emitted;
    this.#emitted += 1 + this.#draw(6);
    await this.world.emit(
      Array.from({ length: this.#emitted - first }, (_, i) => first + i),
      {
        emitterId: this.#source(),
        ms: firstMs + first,
        keyOf: (n) => n % 3,
      },
    );
  }

  async #replay(): Promise<void> {
    const only = (['all', 'failed', 'parked'] as const)[this.#draw(3)] ?? 'all';
    const emitterId = this.#isWide && this.#draw(2) === 0 ? 'dc_*' : this.#source();
    await this.world.requestReplay(`rpl_${this.#replays.push(emitterId) - 1}`, { only, emitterId });
  }

  async #cancel(): Promise<void> {
    const { length } = this.#replays;
    const one = length - 1 - this.#draw(Math.max(1, Math.min(length, 3)));
    const emitterId = this.#replays[one];
    if (emitterId !== undefined) await this.world.cancel(`rpl_${one}`, emitterId);
  }

  #retry(): Promise<void> {
    return this.#requestAct('Retry');
  }

  #discard(): Promise<void> {
    return this.#requestAct('Discard');
  }

  /** Requests a retry or discard, from views that can be some records behind. */
  async #requestAct(what: 'Retry' | 'Discard'): Promise<void> {
    const { log } = this.world;
    const end = await log.end('deliveries', 0);
    const below = Math.max(0, end - ([0, 0, 1, 3, 10][this.#draw(5)] ?? 0));
    const seenRecords = log.records('deliveries').filter(({ offset }) => offset < below);
    const states = eventStatesOf(seenRecords as readonly { readonly type: string; readonly data: object }[]);
    const open = [...states].filter(([, { state }]) => state === 'parked' || state === 'failing');
    const [eventId, state] = open[this.#draw(Math.max(open.length, 1))] ?? [];
    const event = log.records('channels').find(({ data }) => (data as { eventId?: string }).eventId === eventId);
    if (eventId === undefined || state === undefined || event === undefined) return;
    const seen = { isParked: state.state === 'parked', attempts: state.attempts, below };
    const target = { subscriptionId: 'sub_1', emitterId: event.key, eventId, channel: '', offset: event.offset };
    const record = this.world.record(`Delivery${what}Requested`, 'sub_1', { ...target, seen });
    await log.request({ topic: 'requests', partition: 0, record: record as never });
  }

  async #changeRates(): Promise<void> {
    this.#failing = [0, 10, 50, 95][this.#draw(4)] ?? 0;
    this.#hanging = [0, 0, 5, 30][this.#draw(4)] ?? 0;
  }

  /** Deletes some of the oldest events. */
  async #delete(): Promise<void> {
    const events = this.world.log.records('channels').filter(({ type }) => type === 'EventEmitted');
    const first = events[this.#draw(Math.max(events.length, 1))];
    if (first === undefined) return;
    const { eventId } = first.data as { readonly eventId: string };
    this.#deleted.add(eventId);
    await this.world.delete({ emitterId: first.key, startId: eventId, endId: eventId });
  }

  /** Makes delivery give up older events: sometimes nearly all. */
  async #retain(): Promise<void> {
    this.#before = Math.max(this.#before, firstMs + this.#emitted - this.#draw(40));
    await this.world.setRetention(this.#before);
  }

  /** Ends the hanging attempts, successfully or not. */
  #release(): Promise<void> {
    const hanging = this.world.webhook.calls.filter((call: FakeCall) => call.outcome === undefined);
    for (const call of hanging) if (this.#draw(3) > 0) call.settle({ status: this.#draw(3) === 0 ? 503 : 200 });
    return Promise.resolve();
  }

  async #change(): Promise<void> {
    const retrySchedule = [[], [0.005], [0.002, 0.01]][this.#draw(3)] ?? [];
    const ordered = this.#draw(4) === 0 ? this.#draw(2) === 0 : this.#settings.ordered;
    const onExhausted = this.#draw(4) === 0 ? { onExhausted: 'block' as const } : {};
    const disabled = this.#draw(5) === 0 ? { disabled: true, pausedAt: 1 } : {};
    const orderKey = this.#draw(6) === 0 ? { orderKey: '/key' } : {};
    const changes = {
      retrySchedule,
      ...onExhausted,
      ...disabled,
      ...orderKey,
      ...(ordered === undefined ? {} : { ordered }),
    };
    await this.world.addWebhook('wh_1', { ...this.#settings, ...changes, generation: this.#generation++ });
  }

  async #kill(): Promise<void> {
    await this.world.stop(0);
    this.check();
    await this.world.start();
  }
}
