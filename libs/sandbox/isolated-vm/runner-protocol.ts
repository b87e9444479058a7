// The messages between the product's process and a runner process, sent in batches: one array per event loop turn.
import type { FailureContext } from '../../domain/run/errors-report.ts';
import type { ComponentError, ConsoleLine } from '../../domain/component/output.ts';
import type { Manifest } from '../../domain/component/manifest.ts';
import type { EgressMap, EgressProxy } from '../../egress/index.ts';
import type { Bundle } from '../../packages/packages.ts';
import type { Emit, HttpResponse, InvocationOutcome } from '../sandbox.ts';
import type { SandboxLimits } from './sandbox-limits.ts';

/** Where requests of components may go. */
export interface EgressSettings {
  /** CIDRs that are allowed although they are not public. */
  readonly allow: readonly string[];
  /** Redirects requests, by host. */
  readonly map?: EgressMap;
  /** The proxy for all else. It can contain a password, so runners receive it in a message, not as an argument. */
  readonly proxy?: EgressProxy | undefined;
  /** A file of certificates that are trusted in addition to the usual ones. */
  readonly authoritiesFile?: string | undefined;
}

/** The only argument of a runner, as JSON. */
export interface RunnerConfig {
  readonly bundlePath: string;
  /** Absent: every isolate evaluates the bundle, which is ten times slower. */
  readonly snapshotPath?: string;
  readonly limits: SandboxLimits;
  readonly egress: EgressSettings;
  /** Whether the runner has low priority and leaves one processor free. */
  readonly yields?: boolean;
}

export interface LoadOrder extends Bundle {
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
  /** JSON: types of the props that `additionalProps` has added. */
  readonly added: string;
  readonly isHttp: boolean;
  readonly onlyBody: boolean;
  readonly runTimeoutMs?: number;
  readonly memoryMb?: number;
  /** Values that are masked in console and error. */
  readonly secrets: readonly string[];
  /** The run waits for the run ordered before it, and is lost if that run's instance is gone. */
  readonly follows: boolean;
  /** Whether other runs of its source can be concurrent. */
  readonly concurrent: boolean;
  /** `$emit` does nothing. */
  readonly muted: boolean;
  readonly telling?: FailureContext;
  readonly load?: LoadOrder;
}

export interface DescribeOrder extends Bundle {
  readonly type: 'describe';
  readonly id: number;
  readonly memoryMb?: number;
}

/** The answer to an `ask_store` message. */
export interface StoreAnsweredOrder {
  readonly type: 'store_answered';
  readonly ask: number;
  /** JSON of a StoreAnswer. */
  readonly answer: string;
}

export type ToRunner =
  | StoreAnsweredOrder
  | InvokeOrder
  | DescribeOrder
  | { readonly type: 'unload'; readonly sourceId: string }
  /** Sent before all other orders, if there is a proxy. */
  | { readonly type: 'proxy'; readonly proxy: EgressProxy };

/** The emits of an ended invocation, in parts; the last part is in the EndedMessage. */
export interface EmittedMessage {
  readonly type: 'emitted';
  readonly id: number;
  readonly emits: readonly Emit[];
}

/** An outcome as the port promises: the runner has validated, mapped, masked and limited all of the guest's output. */
export interface EndedMessage extends InvocationOutcome {
  readonly type: 'ended';
  readonly id: number;
}

export interface DescribedMessage {
  readonly type: 'described';
  readonly id: number;
  readonly result: { readonly manifest: Manifest } | { readonly error: ComponentError };
  readonly console: readonly ConsoleLine[];
}

/** A component's request to one of its data stores; `question`: JSON of an object, otherwise unchecked. */
export interface AskStoreMessage {
  readonly type: 'ask_store';
  /** Of the invocation. */
  readonly id: number;
  readonly ask: number;
  readonly question: string;
}

export interface RespondMessage {
  readonly type: 'respond';
  readonly id: number;
  readonly response: HttpResponse;
}

export type FromRunner =
  | EmittedMessage
  | EndedMessage
  | DescribedMessage
  | RespondMessage
  | AskStoreMessage
  /** The source is not loaded here: the order must be sent again, with `load`. */
  | { readonly type: 'missing'; readonly id: number }
  /** Sent once a second; silence means that the process is stuck. */
  | { readonly type: 'beat'; readonly rssBytes: number; readonly isolates: number }
  /** Code that cannot be stopped still runs, maybe of this source: the process must be killed. */
  | { readonly type: 'unrecoverable'; readonly reason: string; readonly sourceId?: string };

export const beatMs = 1_000;
