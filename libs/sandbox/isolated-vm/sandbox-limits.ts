// The limits of one component. All can be set when the sandbox starts; the reasons of the defaults are given here.
import { isCall } from '../../domain/call/call.ts';
import { jsonDepthMax } from '../../domain/json.ts';
import { recordOverheadBytes } from '../../domain/run/run-emits.ts';
import { sizes } from '../../domain/sizes.ts';
import type { GuestLimits } from './wire.ts';

export interface SandboxLimits {
  /** One turn: from entering the isolate until its microtasks are done. Nothing else of the source runs meanwhile. */
  readonly sliceMs: number;
  /** Evaluating the module: usually 50 ms (docs/reference/runtime.md, "Costs"), a second for the largest (AWS). */
  readonly loadMs: number;
  /** Processor time of one invocation. */
  readonly cpuMs: number;
  readonly runWallMs: number;
  /** Hooks take longer than runs, because they back-fill events and register webhooks at remote services. */
  readonly hookWallMs: number;
  /** V8 heap of one isolate; warm real components use 10 to 15 MB. */
  readonly memoryMb: number;
  /** Warm isolates in one process: 60 of 15 MB fill the gigabyte that a process may use. */
  readonly instancesMax: number;
  /** An isolate that is unused for so long is disposed; after a burst it takes 8 MiB, and a new start takes 20 ms. */
  readonly instanceIdleMs: number;
  /** Above this memory of a process, idle isolates are disposed. */
  readonly rssSoftBytes: number;
  /** The process of slow sources, some 80 MiB, ends after so long without work; a new start takes 150 ms. */
  readonly slowIdleMs: number;
  /** Above this the process is replaced, because V8 counts some memory to no isolate. */
  readonly rssHardBytes: number;
  readonly network: {
    /** One request, including redirects and the whole response. */
    readonly timeoutMs: number;
    /** One response, both as received and as decoded. */
    readonly answerBytes: number;
    readonly redirectsMax: number;
    /** All bodies that one run sends and receives. */
    readonly runBytes: number;
    /** Held by one process for requests under way: bodies being sent, and unread parts of responses. */
    readonly heldBytes: number;
    /** Requests listed in a run record; others are only counted. */
    readonly listedMax: number;
  };
  /** Limits that the guest checks too, so that the component receives an error that names the limit. */
  readonly guest: GuestLimits;
}

/** Maximum wall-clock time of a turn, as a multiple of its limit, for machines with scarce processors. */
export const wallTimeFactor = 5;

const MiB = 1024 * 1024;

export const defaultLimits: SandboxLimits = {
  sliceMs: 1_000,
  loadMs: 2_000,
  cpuMs: 10_000,
  runWallMs: 60_000,
  hookWallMs: 300_000,
  memoryMb: 128,
  instancesMax: 60,
  instanceIdleMs: 15 * 60_000,
  rssSoftBytes: 1_000 * MiB,
  slowIdleMs: 10_000,
  rssHardBytes: 1_500 * MiB,
  network: {
    timeoutMs: 30_000,
    answerBytes: 10 * MiB,
    // As in browsers.
    redirectsMax: 20,
    runBytes: 256 * MiB,
    // A fifth of the process's memory; a single source holds at most 14 MiB.
    heldBytes: 192 * MiB,
    listedMax: 100,
  },
  guest: {
    emitBytes: sizes.emitBytes,
    // A back-fill emits some dozens; with more than this the run record would be too long to read.
    emitsMax: 10_000,
    // A run's emits and writes are stored in one append.
    emittedBytesMax: sizes.runOutputBytes - sizes.dbBytes,
    recordsBytesMax: sizes.runOutputBytes,
    recordBytes: recordOverheadBytes,
    resultBytesMax: sizes.runResultBytes,
    depthMax: jsonDepthMax,
    manifestUnits: sizes.manifestBytes,
    responseBodyBytes: sizes.responseBodyBytes,
    consoleBytes: sizes.consoleBytes,
    dbValueBytes: sizes.dbValueBytes,
    dbBytes: sizes.dbBytes,
    dbWritesMax: 10_000,
    // Of one run, including overwritten values, because each write crosses to the host. Forty times the whole db.
    dbWrittenBytesMax: 16 * MiB,
    timersMax: 10_000,
    // In one turn, because each crosses to the host, whose thread the other isolates share.
    timerCallsMax: 20_000,
    // Further requests wait in the component's own memory.
    requestsOpenMax: 32,
    requestBodyBytes: 10 * MiB,
    // Half of the memory of an isolate, which holds the files.
    tmpBytes: 64 * MiB,
    tmpEntriesMax: 10_000,
  },
};

/** The wall limit of an invocation, in milliseconds. */
export const wallMs = (limits: SandboxLimits, what: string, runTimeoutMs?: number): number =>
  what === 'run' || isCall(what) ? (runTimeoutMs ?? limits.runWallMs) : limits.hookWallMs;
