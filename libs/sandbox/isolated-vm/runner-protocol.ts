// What the product's process and a runner process send each other, in batches: one array per turn of the event loop.
import type { Telling } from '../../domain/run/failed-run.ts';
import type { ComponentError, ConsoleLine } from '../../domain/component/output.ts';
import type { Manifest } from '../../domain/component/manifest.ts';
import type { EgressMap, EgressProxy } from '../../egress/index.ts';
import type { Bundle } from '../../packages/packages.ts';
import type { Emit, HttpResponse, InvocationOutcome } from '../sandbox.ts';
import type { SandboxLimits } from './sandbox-limits.ts';

/** Where requests of components may go. */
export interface EgressSettings {
  /** CIDRs that may be reached although they are not public. */
  readonly allow: readonly string[];
  /** Where requests to a host go instead, by host. */
  readonly map?: EgressMap;
  /** The proxy for everything else. It may hold a password: a runner gets it in a message, never as an argument. */
  readonly proxy?: EgressProxy | undefined;
  /** A file of certificates that are trusted beside the usual ones. */
  readonly authoritiesFile?: string | undefined;
}

/** Given to a runner as its only argument. */
export interface RunnerConfig {
  readonly bundlePath: string;
  /** Absent: every isolate evaluates the bundle, ten times slower. */
  readonly snapshotPath?: string;
  readonly limits: SandboxLimits;
  readonly egress: EgressSettings;
  /** Whether it gives way to everything else on the machine, and leaves one processor free. */
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
  /** Types of the props that `additionalProps` has added. */
  readonly added: string;
  readonly isHttp: boolean;
  readonly onlyBody: boolean;
  readonly runTimeoutMs?: number;
  readonly memoryMb?: number;
  /** Values to mask in console and error. */
  readonly secrets: readonly string[];
  /** It waits for the run that was ordered before it, and is lost if that run's instance is gone. */
  readonly follows: boolean;
  /** Whether others of its source may run beside it. */
  readonly concurrent: boolean;
  /** `$emit` does nothing. */
  readonly muted: boolean;
  readonly telling?: Telling;
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
  /** Sent before all others, if there is a proxy. */
  | { readonly type: 'proxy'; readonly proxy: EgressProxy };

/** The first parts of what an ended invocation emitted: the product takes it in parts, the last one with the end. */
export interface EmittedMessage {
  readonly type: 'emitted';
  readonly id: number;
  readonly emits: readonly Emit[];
}

/** As the port promises: a runner checks, maps, masks and bounds all that a guest says before it passes it on. */
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

/** A component asks one of its data stores; `question`: JSON of an object, and not checked further. */
export interface AskStoreMessage {
  readonly type: 'ask_store';
  /** The invocation. */
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
  /** The source is not loaded here: the order must come again, with `load`. */
  | { readonly type: 'missing'; readonly id: number }
  /** Said once a second; silence means that the process is stuck. */
  | { readonly type: 'beat'; readonly rssBytes: number; readonly isolates: number }
  /** Something that cannot be stopped still runs, maybe of this source: kill this process. */
  | { readonly type: 'unrecoverable'; readonly reason: string; readonly sourceId?: string };

export const beatMs = 1_000;
