// A sandbox for tests of stages, without processes: its components are host functions, found by their bundles' text.
import { isFormCall } from '../domain/call/call.ts';
import type { FormCallKind } from '../domain/call/call.ts';
import { sizeEmits } from '../domain/run/run-emits.ts';
import { errorsReport, originalOf } from '../domain/run/errors-report.ts';
import { maskConsole, maskError } from '../domain/run/run-text.ts';
import { withParsedBody, type UnparsedHttpEvent } from '../domain/component/http/parsed-body.ts';
import type { Json, JsonObject } from '../domain/json.ts';
import type { ComponentError, ConsoleLine } from '../domain/component/output.ts';
import type { Manifest } from '../domain/component/manifest.ts';
import type { StoreAnswer } from '../domain/store/question.ts';
import type { Bundle } from '../packages/packages.ts';
import { isLate, Sandbox } from './sandbox.ts';
import type {
  DescribeOutcome,
  Emit,
  HttpResponse,
  Invocation,
  InvocationEnd,
  InvocationOutcome,
  Capacity,
} from './sandbox.ts';

/** What a scripted component can do; as in the real sandbox, output takes effect at the call. */
export interface FakeCall {
  readonly event: Json;
  readonly props: JsonObject;
  readonly db: { get(key: string): Json | undefined; set(key: string, value: Json | undefined): void };
  emit(emit: Partial<Emit> & Pick<Emit, 'event'>): void;
  console(text: string, level?: ConsoleLine['level']): void;
  respond(response: Partial<HttpResponse>): void;
  /** Sends a request to a data store. */
  ask(question: Json): Promise<StoreAnswer | undefined>;
}

export type FakeFunction = (call: FakeCall) => void | Promise<void>;

export interface FakeComponent {
  readonly manifest: Manifest;
  readonly run?: FakeFunction;
  readonly sample?: FakeFunction;
  /** Their results are emitted as the answer. */
  readonly forms?: Partial<Record<FormCallKind, FakeFunction>>;
  readonly hooks?: Partial<Record<'event_names' | 'deploy' | 'activate' | 'deactivate', FakeFunction>>;
}

/** Thrown by a scripted function to end its invocation in a way that components cannot choose. */
export class FakeEnd extends Error {
  readonly end: Exclude<InvocationEnd, 'finished' | 'threw'>;

  constructor(end: FakeEnd['end']) {
    super(`The invocation ended: ${end}`);
    this.end = end;
  }
}

interface Instance {
  /** The text of the loaded bundle. */
  readonly text: Promise<string>;
  readonly db: Map<string, string>;
  writes: [string, string | null][];
  /** Settles when the instance is disposed. */
  readonly disposed: Promise<InvocationEnd>;
  readonly dispose: (end: InvocationEnd) => void;
  /** Settles at the end of the run that was invoked last. */
  lastRun: Promise<unknown>;
}

type FakeDb = Pick<Map<string, string>, 'get' | 'set' | 'delete'>;

/** The db as a concurrent run sees it. */
class FakeDbView implements FakeDb {
  readonly #snapshot: Map<string, string>;
  readonly #written = new Set<string>();

  constructor(db: ReadonlyMap<string, string>) {
    this.#snapshot = new Map(db);
  }

  get(key: string): string | undefined {
    return this.#snapshot.get(key);
  }

  set(key: string, text: string): Map<string, string> {
    this.#written.add(key);
    return this.#snapshot.set(key, text);
  }

  delete(key: string): boolean {
    this.#written.add(key);
    return this.#snapshot.delete(key);
  }

  mergeInto(db: Map<string, string>): [string, string | null][] {
    return [...this.#written].map((key) => {
      const text = this.get(key);
      if (text === undefined) db.delete(key);
      else db.set(key, text);
      return [key, text ?? null];
    });
  }
}

function functionOf(component: FakeComponent | undefined, what: Invocation['what']): FakeFunction | undefined {
  if (what === 'run') return component?.run;
  if (isFormCall(what)) return component?.forms?.[what];
  return what === 'sample' ? (component?.sample ?? noSample) : component?.hooks?.[what];
}

const noSample: FakeFunction = () => {
  throw new TypeError('The component has no sampleEmit');
};

const invocationEnd = (error: unknown): InvocationEnd => (error instanceof FakeEnd ? error.end : 'threw');

const componentError = (error: unknown): ComponentError =>
  error instanceof Error ? { name: error.name, message: error.message } : { name: 'Error', message: String(error) };

export class FakeSandbox extends Sandbox {
  /** By the text of the bundle; any other text counts as one that does not parse. */
  readonly components: Map<string, FakeComponent>;
  readonly now: () => number;
  /** What `capacity` returns. */
  capacityForAll: Capacity = { total: 1_000, used: 0 };
  readonly #instances = new Map<string, Instance>();

  constructor(components: Map<string, FakeComponent> = new Map(), now: () => number = Date.now) {
    super();
    this.components = components;
    this.now = now;
  }

  override async describe({ js }: Bundle): Promise<DescribeOutcome> {
    const component = this.components.get(js);
    if (component) return { kind: 'described', manifest: component.manifest, console: [] };
    const error = { name: 'SyntaxError', message: 'No scripted component has this code', line: 1, column: 1 };
    return { kind: 'invalid', error, console: [] };
  }

  override get trouble(): string | undefined {
    return undefined;
  }

  override capacity(): Capacity {
    return this.capacityForAll;
  }

  override invoke(invocation: Invocation): Promise<InvocationOutcome> {
    if (isLate(invocation)) return Promise.resolve(lostOutcome(0));
    if (!invocation.follows) {
      const instance = this.#instance(invocation);
      const ended = this.#invokeIn(instance, invocation);
      if (invocation.what === 'run') instance.lastRun = ended;
      return ended;
    }
    const instance = this.#instances.get(this.#key(invocation));
    if (!instance) return Promise.resolve(lostOutcome(0));
    const ended = instance.lastRun.then(() =>
      this.#instances.get(this.#key(invocation)) === instance ? this.#invokeIn(instance, invocation) : lostOutcome(0),
    );
    instance.lastRun = ended;
    return ended;
  }

  async #invokeIn(instance: Instance, invocation: Invocation): Promise<InvocationOutcome> {
    const startedAt = this.now();
    const emits: Emit[] = [];
    const lines: ConsoleLine[] = [];
    const db = invocation.concurrent ? new FakeDbView(instance.db) : instance.db;
    const call = this.#call(invocation, { db, writes: instance.writes }, emits, lines);
    const [end, error] = await Promise.race([
      this.#runFunction(instance, invocation, call),
      instance.disposed.then((disposedEnd): [InvocationEnd, undefined] => [disposedEnd, undefined]),
    ]);
    if (end !== 'finished' && end !== 'threw') this.#dispose(this.#key(invocation), 'lost');
    const durationMs = this.now() - startedAt;
    if (end === 'lost') return lostOutcome(durationMs);
    if (end === 'crashed') return { ...lostOutcome(durationMs), end, error: crashError };
    if (db instanceof FakeDbView) instance.writes.push(...db.mergeInto(instance.db));
    const { secrets = [] } = invocation;
    const sized = sizeEmits(emits);
    const output = { emits: sized.emits, emitsBytes: sized.bytes, dbWrites: instance.writes.splice(0) };
    const outcome = { ...output, console: maskConsole(lines, secrets), durationMs, cpuMs: 0 };
    const failure = end === 'finished' ? sized.error : maskError(error ?? lostError, secrets);
    if (failure === undefined) return { end, ...outcome };
    return { end: end === 'finished' ? 'threw' : end, ...outcome, error: failure, ...reportOf(invocation, failure) };
  }

  override async unload(sourceId: string): Promise<void> {
    for (const key of this.#instances.keys()) if (key.startsWith(`${sourceId}/`)) this.#dispose(key, 'lost');
  }

  override async close(): Promise<void> {
    for (const key of [...this.#instances.keys()]) this.#dispose(key, 'lost');
  }

  async #runFunction(
    { text }: Instance,
    { what }: Invocation,
    call: FakeCall,
  ): Promise<[InvocationEnd, ComponentError | undefined]> {
    try {
      await functionOf(this.components.get(await text), what)?.(call);
      return ['finished', undefined];
    } catch (error) {
      return [invocationEnd(error), componentError(error)];
    }
  }

  #call(
    invocation: Invocation,
    { db, writes }: { readonly db: FakeDb; readonly writes: Instance['writes'] },
    emits: Emit[],
    lines: ConsoleLine[],
  ): FakeCall {
    let responded = false;
    return {
      event: eventOf(invocation),
      props: invocation.props,
      db: {
        get: (key) => {
          const text = db.get(key);
          return text === undefined ? undefined : (JSON.parse(text) as Json);
        },
        set: (key, value) => {
          const text = value === undefined ? null : JSON.stringify(value);
          if (!(db instanceof FakeDbView)) writes.push([key, text]);
          if (text === null) db.delete(key);
          else db.set(key, text);
        },
      },
      emit: (emit) => {
        if (invocation.muted !== true) emits.push({ channel: '', ...emit });
      },
      console: (text, level = 'log') => lines.push({ level, text, at: this.now() }),
      ask: async (question) => invocation.askStore?.(question),
      respond: (response) => {
        if (!responded) invocation.onRespond({ status: 200, headers: {}, bodyBase64: '', ...response });
        responded = true;
      },
    };
  }

  #instance(invocation: Invocation): Instance {
    const key = this.#key(invocation);
    const existing = this.#instances.get(key);
    if (existing) return existing;
    const { promise, resolve } = Promise.withResolvers<InvocationEnd>();
    const db = new Map(Object.entries(invocation.db()));
    const lastRun = Promise.resolve();
    const text = invocation.bundle().then(
      ({ js }) => js,
      () => {
        throw new FakeEnd('lost');
      },
    );
    // The invocations that await it handle the failure.
    text.catch(() => {});
    const instance = { text, db, writes: [], disposed: promise, dispose: resolve, lastRun };
    this.#instances.set(key, instance);
    return instance;
  }

  #dispose(key: string, end: InvocationEnd): void {
    this.#instances.get(key)?.dispose(end);
    this.#instances.delete(key);
  }

  #key(invocation: Invocation): string {
    return `${invocation.sourceId}/${invocation.revision}`;
  }
}

function reportOf(invocation: Invocation, error: ComponentError): Pick<InvocationOutcome, 'report'> {
  const { what, telling, event, secrets = [] } = invocation;
  if (what !== 'run' || telling === undefined) return {};
  return { report: errorsReport(originalOf(telling, event, secrets), { runId: telling.runId, error }) };
}

const lostError: ComponentError = { name: 'Lost', message: 'The instance was disposed while the component ran' };
const lostOutcome = (durationMs: number): InvocationOutcome => ({
  end: 'lost',
  error: lostError,
  emits: [],
  emitsBytes: 0,
  dbWrites: [],
  console: [],
  durationMs,
  cpuMs: 0,
});
const crashError: ComponentError = { name: 'CrashError', message: 'The component ended its process' };

function eventOf({ event, isHttp = false, onlyBody = false }: Invocation): Json {
  if (!isHttp) return event;
  const request = event as UnparsedHttpEvent;
  return onlyBody ? (JSON.parse(request.bodyRaw) as Json) : (withParsedBody(request) as unknown as Json);
}
