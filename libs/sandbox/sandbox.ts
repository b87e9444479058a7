// The sandbox port: describes and invokes components in isolation; their failures are outcomes, never thrown.
import type { Report, Telling } from '../domain/run/failed-run.ts';
import type { CallKind } from '../domain/call/call.ts';
import type { Json, JsonObject } from '../domain/json.ts';
import type { ComponentError, ComponentRequests, ConsoleLine } from '../domain/component/output.ts';
import type { Manifest } from '../domain/component/manifest.ts';
import type { EmitCall } from '../domain/component/emit-call.ts';
import type { StoreAnswer } from '../domain/store/question.ts';
import type { Bundle } from '../packages/packages.ts';

/** Its times are coerced to epoch ms (docs/reference/component-api.md, "Emit"). */
export type Emit = EmitCall;

/** One `http.respond`; status 100 to 599. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly bodyBase64: string;
}

export type Pace = 'quick' | 'slow';

/** How many sources of one pace the memory of their processes holds, and how many have something under way. */
export interface Room {
  readonly all: number;
  readonly taken: number;
}

/** What is invoked, under which identity: an instance is kept warm for each `sourceId` and `revision`. */
export interface Invocation {
  readonly sourceId: string;
  readonly revision: number;
  /** The owner: workspaces take turns when invocations must wait. Absent: the source takes turns on its own. */
  readonly workspace?: string;
  /**
   * What is loaded. Called only when the instance must be loaded, without a limit of time; if it rejects, the invocation
   * is `lost` and has not begun.
   */
  readonly bundle: () => Promise<Bundle>;
  readonly what: 'run' | CallKind | 'event_names' | 'deploy' | 'activate' | 'deactivate';
  /** The argument of `run`; of `configure`: which options are asked for. Ignored otherwise. */
  readonly event: Json;
  /** `event` is an UnparsedHttpEvent: `run` gets it with a `body` made from `bodyRaw`. */
  readonly isHttp?: boolean;
  /** With `isHttp`: `run` gets only the body, which must be JSON. */
  readonly onlyBody?: boolean;
  /** Values by prop name. `$.interface.http`: `{ endpoint }`; `app`: `{ auth }`, its `$auth`; `$.service.db` needs none. */
  readonly props: JsonObject;
  /** Types of the props that `additionalProps` has added, by name. */
  readonly addedProps?: Readonly<Record<string, string>>;
  /** Override the sandbox's limits: the longest that `run` or a call may take, and the memory of a new isolate. */
  readonly runTimeoutMs?: number;
  readonly memoryMb?: number;
  /** The latest `performance.now` at which it may be ordered to begin; after that it is `lost` and never begins. */
  readonly beginBy?: number;
  /** Values to mask in console and error. */
  readonly secrets?: readonly string[];
  /** The committed db, key -> JSON text. Called only when the instance must be loaded. */
  readonly db: () => Readonly<Record<string, string>>;
  /** The source's known pace, by default quick. Slow sources have their own processes, which yield to the others. */
  readonly pace?: Pace;
  /**
   * It begins in the same instance, when the `run` of this source invoked before it has ended; its limits begin then.
   * If that instance is gone, it is `lost` and has not begun.
   */
  readonly follows?: boolean;
  /**
   * Whether other runs of its source may overlap it. It sees the db as it was when it began; when it ends, its writes
   * go to the source's db key by key. If a limit stops it, its writes are dropped.
   */
  readonly concurrent?: boolean;
  /** `$emit` does nothing, and counts for no limit. */
  readonly muted?: boolean;
  /** What to report of a failed `run` on channel `$errors`; absent: the outcome has no report. */
  readonly telling?: Telling;
  /** Asks one of the data stores that its props name; never rejects. Undefined: there are none. */
  readonly askStore?: ((question: Json) => Promise<StoreAnswer>) | undefined;
  /** Called as soon as the component responds, at most once. */
  readonly onRespond: (response: HttpResponse) => void;
}

/** Whether it must not begin any more. */
export const isLate = ({ beginBy = Infinity }: Pick<Invocation, 'beginBy'>): boolean => performance.now() > beginBy;

export type InvocationEnd =
  | 'finished'
  /** It threw or rejected. */
  | 'threw'
  /** Wall, slice or CPU limit. */
  | 'timed_out'
  | 'out_of_memory'
  /** It ended its process, in which no other source was: its output is dropped, and a retry would crash again. */
  | 'crashed'
  /**
   * It did not happen: retry it with back-off. Its process died, maybe because of another source; its instance was
   * disposed because of another invocation; no process or bundle was available; or it was too late to begin.
   */
  | 'lost';

export interface InvocationOutcome {
  readonly end: InvocationEnd;
  /** Set unless `finished`; without secrets, and cut to what a record keeps. */
  readonly error?: ComponentError;
  /** The masked report of a `run` that has not `finished`, if its process could still make one. */
  readonly report?: Report;
  /**
   * Each within `sizes.emitBytes` and `jsonDepthMax`, all together within `sizes.runOutputBytes`; emits beyond these
   * limits are left out, and `error` says so.
   */
  readonly emits: readonly Emit[];
  /** Upper bound of the JSON bytes of the records that the emits become. */
  readonly emitsBytes: number;
  /**
   * Every db write of this source since its last outcome, by any of its invocations, in order: key, JSON text or null.
   * Outcomes of one source arrive in the order in which these must be applied. Empty when `lost` or `crashed`.
   */
  readonly dbWrites: readonly (readonly [string, string | null])[];
  /** Without secrets, within `sizes.consoleBytes`. */
  readonly console: readonly ConsoleLine[];
  /** HTTP requests; absent when there were none, and when `lost` or `crashed`. */
  readonly requests?: ComponentRequests;
  readonly durationMs: number;
  /** Processor time of the isolate; 0 where it is not known. */
  readonly cpuMs: number;
}

export type DescribeOutcome =
  | { readonly kind: 'described'; readonly manifest: Manifest; readonly console: readonly ConsoleLine[] }
  /**
   * V8 does not parse it, it throws at load, or lacks what is required; `error` names line and cause
   * (docs/reference/component-api.md, "The definition of a component").
   */
  | { readonly kind: 'invalid'; readonly error: ComponentError; readonly console: readonly ConsoleLine[] };

export interface DescribeManner {
  /** Its owner: workspaces take turns when calls must wait. */
  readonly workspace?: string;
  /** What its source may take once it is deployed; loading may take the default at least. */
  readonly memoryMb?: number | undefined;
}

/** All output of a component is bounded in size, number and depth, and cleaned, before it leaves the sandbox. */
export abstract class Sandbox {
  /** Loads the bundle in an isolate that is thrown away. Throws PortError `unavailable` when no process is available. */
  abstract describe(bundle: Bundle, manner?: DescribeManner): Promise<DescribeOutcome>;

  /**
   * Invokes `run` or a hook, or emits the component's `sampleEmit` (the value, or what the function returns) on the
   * default channel. `configure` and `props` emit one answer there and nothing else: `{ options, context }` or
   * `{ props }`, as the component gives it, unchecked. A missing hook finishes at once, a missing `sampleEmit` ends as
   * `threw`. Several invocations of one source may overlap and share its db. Always resolves, within the wall limit and a
   * second of its start. A source that may have ended a process starts in a process of its own, and may have to wait for
   * it.
   */
  abstract invoke(invocation: Invocation): Promise<InvocationOutcome>;

  /** Why components cannot run at all, as a sentence; undefined: they can, or it is not known yet. */
  abstract get trouble(): string | undefined;

  /** The room grows and shrinks with the memory that sources take. */
  abstract room(pace: Pace): Room;

  /** Disposes a source's instances; their invocations end as `lost`. The next invocation loads again, with `db()`. */
  abstract unload(sourceId: string): Promise<void>;

  /** Ends every process. */
  abstract close(): Promise<void>;
}
