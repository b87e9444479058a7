// The sandbox port: describes components and invokes them, isolated; what they do wrong is an outcome, never thrown.
import type { Report, Telling } from '../domain/channel/failed-run.ts';
import type { Json, JsonObject } from '../domain/json.ts';
import type { ComponentError, ComponentRequests, ConsoleLine } from '../domain/component/messages.ts';
import type { Manifest } from '../domain/component/manifest.ts';

/** One `$emit`, as it was called. `channel` is '' by default; times are coerced to epoch ms (docs/reference/component-api.md, "Emit"). */
export interface Emit {
  readonly event: Json;
  readonly channel: string;
  readonly id?: string | number;
  readonly summary?: string;
  readonly ts?: number;
  /** When it is to become an event; absent: at once. */
  readonly deliveryTs?: number;
}

/** One `http.respond`; status 100 to 599. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly bodyBase64: string;
}

export type Pace = 'quick' | 'slow';

/** Of sources that have something under way at one pace: how many their processes' memory is enough for, and how many have. */
export interface Room {
  readonly all: number;
  readonly taken: number;
}

/** Which code, under which identity: an instance is kept warm for each `sourceId` and `revision`. */
export interface Invocation {
  readonly sourceId: string;
  readonly revision: number;
  /** Whose it is: workspaces take turns where something must wait. The source alone when absent. */
  readonly workspace?: string;
  readonly code: string;
  readonly what: 'run' | 'sample' | 'deploy' | 'activate' | 'deactivate';
  /** `run`'s argument; ignored for all else. */
  readonly event: Json;
  /** `event` is an UnparsedHttpEvent: `run` gets it with its `body` made of `bodyRaw`. */
  readonly isHttp?: boolean;
  /** Values by prop name. `$.interface.http`: `{ endpoint }`; `$.service.db` and `app` need none. */
  readonly props: JsonObject;
  /** In place of the sandbox's own limits: the longest that `run` or `sample` may take, and the isolate's memory where it is loaded. */
  readonly runTimeoutMs?: number;
  readonly memoryMb?: number;
  /** By when it is ordered to begin, as `performance.now` counts; later it is `lost`, and has not begun. Not of what follows. */
  readonly beginBy?: number;
  /** What is masked in console and error. */
  readonly secrets?: readonly string[];
  /** Key -> JSON text; asked for only when the instance must be loaded, and then it must be the committed state. */
  readonly db: () => Readonly<Record<string, string>>;
  /** What is known of how it runs: slow ones have processes of their own, which yield to the others. By default quick. */
  readonly pace?: Pace;
  /**
   * It begins, and its limits with it, when the `run` of this source that was invoked before it has ended, in the same
   * instance; without that instance it is `lost`, and has not begun.
   */
  readonly follows?: boolean;
  /**
   * Others of its source may run beside it: it sees the db as it was when it began, and what it wrote becomes that of the
   * source when it ends, key by key. What it wrote until a limit stopped it does not.
   */
  readonly concurrent?: boolean;
  /** What is told of a `run` that fails, on channel `$errors`; absent: the outcome has no report. */
  readonly telling?: Telling;
  /** Called as soon as the component responds, at most once. */
  readonly onRespond: (response: HttpResponse) => void;
}

/** It must not begin any more. */
export const isLate = ({ beginBy = Infinity }: Pick<Invocation, 'beginBy'>): boolean => performance.now() > beginBy;

export type InvocationEnd =
  | 'finished'
  /** It threw or rejected. */
  | 'threw'
  /** Wall, slice or CPU limit. */
  | 'timed_out'
  | 'out_of_memory'
  /** It ended its process, where no other source was: nothing of it counts, and it would do so again. */
  | 'crashed'
  /**
   * It did not happen, and should be repeated, a little later each time: its process died, maybe because of another, its
   * instance was disposed because of another invocation, there was no process or no compiler to be had for it, or it was late.
   */
  | 'lost';

export interface InvocationOutcome {
  readonly end: InvocationEnd;
  /** Set unless `finished`; without secrets, and cut to what a record keeps. */
  readonly error?: ComponentError;
  /** Of a `run` that has ended otherwise than `finished`, where its process still could: what is told of it, masked. */
  readonly report?: Report;
  /**
   * Each within `sizes.emitBytes` and `jsonDepthMax`, all together within `sizes.runOutputBytes`; what went above is left
   * out and said in `error`.
   */
  readonly emits: readonly Emit[];
  /** At most so many bytes of JSON have the records that they become. */
  readonly emitsBytes: number;
  /**
   * Every db write of this source since its last outcome, whoever made it, in order: key, JSON text or null.
   * Outcomes of one source arrive in the order in which these must be applied. Empty when `lost` or `crashed`. The texts
   * are JSON.
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
  /** It does not parse, throws at load, or lacks what is required; `error` names line and cause (docs/reference/component-api.md, "The definition of a component"). */
  | { readonly kind: 'invalid'; readonly error: ComponentError; readonly console: readonly ConsoleLine[] };

/** Whatever a component says is bounded in size, number and depth, and clean, before it comes out of here. */
export abstract class Sandbox {
  /**
   * Loads the code in an isolate that is thrown away. `workspace` is whose it is: workspaces take turns where something
   * must wait. Throws PortError `unavailable` when no process can be had.
   */
  abstract describe(code: string, workspace?: string): Promise<DescribeOutcome>;

  /**
   * Invokes `run` or a hook, or emits its `sampleEmit` on the default channel: the value, or what the function returns. A
   * hook that the component does not have finishes at once, without a `sampleEmit` it throws. Several invocations of one source
   * may overlap and share its db. Always resolves, within the wall limit and a second of its start. A source that may have
   * ended a process starts in one of its own, and may have to wait for it.
   */
  abstract invoke(invocation: Invocation): Promise<InvocationOutcome>;

  /** Grows and shrinks with what sources take. */
  abstract room(pace: Pace): Room;

  /** Disposes a source's instances; their invocations end as `lost`. The next one loads again, with `db()`. */
  abstract unload(sourceId: string): Promise<void>;

  /** Ends every process. */
  abstract close(): Promise<void>;
}
