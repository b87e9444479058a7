// The sandbox port: describes and invokes components in isolation; their failures are outcomes, never thrown.
import type { Report, FailureContext } from '../domain/run/errors-report.ts';
import type { CallKind } from '../domain/call/call.ts';
import type { Json, JsonObject } from '../domain/json.ts';
import type { ComponentError, ComponentRequests, ConsoleLine } from '../domain/component/output.ts';
import type { Manifest } from '../domain/component/manifest.ts';
import type { EmitCall } from '../domain/component/emit-call.ts';
import type { StoreAnswer } from '../domain/store/question.ts';
import type { Bundle } from '../packages/packages.ts';

/** An emit, with its times coerced to epoch ms (docs/reference/component-api.md, "Emit"). */
export type Emit = EmitCall;

/** One `http.respond`; status 100 to 599. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly bodyBase64: string;
}

export type Pace = 'quick' | 'slow';

/** How many sources of one pace fit into the memory of their processes, and how many have invocations under way. */
export interface Capacity {
  readonly total: number;
  readonly used: number;
}

/** One call of `run`, a hook or a form. An instance is kept warm for each `sourceId` and `revision`. */
export interface Invocation {
  readonly sourceId: string;
  readonly revision: number;
  /** The owner: workspaces take turns when invocations must wait. Absent: the source takes turns on its own. */
  readonly workspace?: string;
  /**
   * The code to load. Called only if the instance must be loaded, without a time limit; if it rejects, the invocation
   * is `lost` and has not begun.
   */
  readonly bundle: () => Promise<Bundle>;
  readonly what: 'run' | CallKind | 'event_names' | 'deploy' | 'activate' | 'deactivate';
  /** The argument of `run`; for `configure`, which options are requested. Ignored otherwise. */
  readonly event: Json;
  /** `event` is an UnparsedHttpEvent: `run` receives it with a `body` made from `bodyRaw`. */
  readonly isHttp?: boolean;
  /** With `isHttp`: `run` receives only the body, which must be JSON. */
  readonly onlyBody?: boolean;
  /** Values by prop name. `$.interface.http`: `{ endpoint }`; `app`: `{ auth }`, its `$auth`; `$.service.db`: none. */
  readonly props: JsonObject;
  /** Types of the props that `additionalProps` has added, by name. */
  readonly addedProps?: Readonly<Record<string, string>>;
  /** Override the sandbox's limits: the time of `run` or a form's call, and the memory of a new isolate. */
  readonly runTimeoutMs?: number;
  readonly memoryMb?: number;
  /** The latest `performance.now` at which the invocation can begin; after that it is `lost`. */
  readonly beginBy?: number;
  /** Values that are masked in console and error. */
  readonly secrets?: readonly string[];
  /** The committed db, key -> JSON text. Called only when the instance must be loaded. */
  readonly db: () => Readonly<Record<string, string>>;
  /** The source's known pace, by default quick. Slow sources have their own processes, which yield to the others. */
  readonly pace?: Pace;
  /**
   * It begins in the same instance after the source's previously invoked `run` has ended; its limits begin then.
   * If that instance is gone, it is `lost` without having begun.
   */
  readonly follows?: boolean;
  /**
   * Whether other runs of its source can overlap it. It sees the db as it was when it began; when it ends, its writes
   * are merged into the source's db key by key. If a limit stops it, its writes are dropped.
   */
  readonly concurrent?: boolean;
  /** `$emit` has no effect, and counts towards no limit. */
  readonly muted?: boolean;
  /** The data for the report of a failed `run` on channel `$errors`; absent: the outcome has no report. */
  readonly telling?: FailureContext;
  /** Sends a request to one of the data stores in its props; never rejects. Undefined: there are none. */
  readonly askStore?: ((question: Json) => Promise<StoreAnswer>) | undefined;
  /** Called as soon as the component responds, at most once. */
  readonly onRespond: (response: HttpResponse) => void;
}

/** Whether it is too late for the invocation to begin. */
export const isLate = ({ beginBy = Infinity }: Pick<Invocation, 'beginBy'>): boolean => performance.now() > beginBy;

export type InvocationEnd =
  | 'finished'
  /** It threw or rejected. */
  | 'threw'
  /** Wall, slice or CPU limit. */
  | 'timed_out'
  | 'out_of_memory'
  /** It killed its process, in which no other source was: its output is dropped, and a retry would crash again. */
  | 'crashed'
  /**
   * It has no effect: retry it with back-off. Its process died, maybe because of another source; its instance was
   * disposed because of another invocation; no process or bundle was available; or it was too late to begin.
   */
  | 'lost';

export interface InvocationOutcome {
  readonly end: InvocationEnd;
  /** Set unless `finished`; secrets are masked, and the text is cut to the limit of a record. */
  readonly error?: ComponentError;
  /** The masked report of a `run` that has not `finished`, if its process could still make one. */
  readonly report?: Report;
  /**
   * Each within `sizes.emitBytes` and `jsonDepthMax`, all together within `sizes.runOutputBytes`; others are left out,
   * which `error` reports.
   */
  readonly emits: readonly Emit[];
  /** Upper bound of the bytes of JSON in the records of the emits. */
  readonly emitsBytes: number;
  /**
   * Every db write of this source since its last outcome, by any of its invocations, in order: key, JSON text or null.
   * Outcomes of one source arrive in the order in which these must be applied. Empty when `lost` or `crashed`.
   */
  readonly dbWrites: readonly (readonly [string, string | null])[];
  /** With secrets masked, within `sizes.consoleBytes`. */
  readonly console: readonly ConsoleLine[];
  /** HTTP requests; absent if there were none, or if `lost` or `crashed`. */
  readonly requests?: ComponentRequests;
  readonly durationMs: number;
  /** Processor time of the isolate; 0 where it is not known. */
  readonly cpuMs: number;
}

export type DescribeOutcome =
  | { readonly kind: 'described'; readonly manifest: Manifest; readonly console: readonly ConsoleLine[] }
  /**
   * It does not parse, throws at load, or lacks a required part; `error` names line and cause
   * (docs/reference/component-api.md, "The definition of a component").
   */
  | { readonly kind: 'invalid'; readonly error: ComponentError; readonly console: readonly ConsoleLine[] };

export interface DescribeOptions {
  /** The owner: workspaces take turns when calls must wait. */
  readonly workspace?: string;
  /** The memory limit of its source after the deploy; for loading it is at least the default. */
  readonly memoryMb?: number | undefined;
}

/** Runs components. All of their output is limited in size, number and depth, and cleaned, before it leaves here. */
export abstract class Sandbox {
  /** Loads the bundle in an isolate that is used once. Throws PortError `unavailable` if no process is available. */
  abstract describe(bundle: Bundle, options?: DescribeOptions): Promise<DescribeOutcome>;

  /**
   * Invokes `run` or a hook, or emits the component's `sampleEmit` (the value, or the function's result) on the
   * default channel. `configure` and `props` emit only one answer there: `{ options, context }` or
   * `{ props }`, as the component returns it, unchecked. A missing hook finishes at once; no `sampleEmit` ends as
   * `threw`. Several invocations of one source can overlap and share its db. Always resolves, within a second after the
   * wall limit. A source that might have killed a process starts in a process of its own, for which it might have to
   * wait.
   */
  abstract invoke(invocation: Invocation): Promise<InvocationOutcome>;

  /** A sentence that says why components cannot run at all; undefined: they can, or it is not known yet. */
  abstract get trouble(): string | undefined;

  /** The capacity for sources of a pace, which depends on the memory that sources take. */
  abstract capacity(pace: Pace): Capacity;

  /** Disposes a source's instances; their invocations end as `lost`. The next invocation loads again, with `db()`. */
  abstract unload(sourceId: string): Promise<void>;

  /** Ends every process. */
  abstract close(): Promise<void>;
}
