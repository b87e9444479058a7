// What the product's process and a runner process say to each other, in batches: one array a turn of the event loop.
import type { ConsoleLine } from '../../domain/component/messages.ts';
import type { InvocationEnd } from '../sandbox.ts';
import type { SandboxLimits } from './limits.ts';

/** Given to a runner as its only argument. */
export interface RunnerConfig {
  readonly bundlePath: string;
  /** Absent: every isolate evaluates the bundle, ten times slower. */
  readonly snapshotPath?: string;
  readonly limits: SandboxLimits;
}

export interface LoadOrder {
  /** The component as CommonJS. */
  readonly js: string;
  /** The committed db: a JSON object of JSON texts. */
  readonly db: string;
}

export interface InvokeOrder {
  readonly type: 'invoke';
  readonly id: number;
  readonly sourceId: string;
  readonly revision: number;
  readonly what: string;
  /** JSON texts, because the guest parses them itself. */
  readonly event: string;
  readonly props: string;
  readonly load?: LoadOrder;
}

export type ToRunner =
  | InvokeOrder
  | { readonly type: 'describe'; readonly id: number; readonly js: string }
  | { readonly type: 'unload'; readonly sourceId: string };

/** An error as the guest wrote it: JSON, positions in the compiled text. */
export interface EndedMessage {
  readonly type: 'ended';
  readonly id: number;
  readonly end: InvocationEnd;
  readonly error?: string;
  /** JSON texts of emits. */
  readonly emits: readonly string[];
  readonly dbWrites: readonly (readonly [string, string | null])[];
  readonly console: readonly ConsoleLine[];
  readonly durationMs: number;
}

export interface DescribedMessage {
  readonly type: 'described';
  readonly id: number;
  /** What the guest answered: JSON with `manifest` or `error`. */
  readonly answer: string;
  readonly console: readonly ConsoleLine[];
}

export interface RespondMessage {
  readonly type: 'respond';
  readonly id: number;
  readonly head: string;
  readonly body: string;
}

export type FromRunner =
  | EndedMessage
  | DescribedMessage
  | RespondMessage
  /** The source is not loaded here: the order must come again, with `load`. */
  | { readonly type: 'missing'; readonly id: number }
  /** Said once a second; silence means that the process is stuck. */
  | { readonly type: 'beat'; readonly rssBytes: number }
  /** Something runs on that cannot be stopped, maybe of this source: kill this process. */
  | { readonly type: 'doomed'; readonly reason: string; readonly sourceId?: string };

export const beatMs = 1_000;
