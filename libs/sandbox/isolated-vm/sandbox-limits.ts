// What one component may use; every limit can be set when the sandbox starts, and every default has its reason here.
import { isCall } from '../../domain/call/call.ts';
import { jsonDepthMax } from '../../domain/json.ts';
import { recordOverheadBytes } from '../../domain/run/run-emits.ts';
import { sizes } from '../../domain/sizes.ts';
import type { GuestLimits } from './wire.ts';

export interface SandboxLimits {
  /** One turn: from entering the isolate until its microtasks are done. Nothing else of the source can run then. */
  readonly sliceMs: number;
  /** Evaluating the module: most real ones take 50 ms (docs/reference/runtime.md, "Costs"), the largest, of AWS, up to a second. */
  readonly loadMs: number;
  /** Processor time of one invocation. */
  readonly cpuMs: number;
  readonly runWallMs: number;
  /** Hooks back-fill and register webhooks at remote services: they take longer than runs. */
  readonly hookWallMs: number;
  /** V8 heap of one isolate; warm real components use 10 to 15 MB. */
  readonly memoryMb: number;
  /** Warm isolates in one process: 60 of 15 MB are the gigabyte that a process may use. */
  readonly instancesMax: number;
  /** An isolate in which nothing has run for so long is disposed: after a burst it takes 8 MiB, and a start 20 ms. */
  readonly instanceIdleMs: number;
  /** Above this, idle isolates are disposed. */
  readonly rssSoftBytes: number;
  /** Without work the process of slow sources, some 80 MiB, ends; to start it again takes 150 ms. */
  readonly slowIdleMs: number;
  /** Above this, the process is replaced: V8 counts some memory to no isolate. */
  readonly rssHardBytes: number;
  readonly network: {
    /** Of one request, including redirects and the whole answer. */
    readonly timeoutMs: number;
    /** Of one answer, both as received and as decoded. */
    readonly answerBytes: number;
    readonly redirectsMax: number;
    /** Bodies that one run sends and receives. */
    readonly runBytes: number;
    /** What one process holds for requests under way: bodies being sent, and parts of answers that nobody has read. */
    readonly heldBytes: number;
    /** Requests that a run record lists; the others are only counted. */
    readonly listedMax: number;
  };
  /** What the guest itself checks, so that a component meets the limit as an error that names it. */
  readonly guest: GuestLimits;
}

/** How many times its limit a turn may take by the clock, where processors are scarce; nobody waits for longer. */
export const patience = 5;

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
    // As browsers have it.
    redirectsMax: 20,
    runBytes: 256 * MiB,
    // A fifth of what the process may use; the worst source holds 14 MiB.
    heldBytes: 192 * MiB,
    listedMax: 100,
  },
  guest: {
    emitBytes: sizes.emitBytes,
    // A back-fill emits some dozens; beyond this the run record itself would be too long to read.
    emitsMax: 10_000,
    // What a run emits and writes goes into one append.
    emittedBytesMax: sizes.runOutputBytes - sizes.dbBytes,
    recordsBytesMax: sizes.runOutputBytes,
    recordBytes: recordOverheadBytes,
    saidBytesMax: sizes.runSaidBytes,
    depthMax: jsonDepthMax,
    manifestUnits: sizes.manifestBytes,
    responseBodyBytes: sizes.responseBodyBytes,
    consoleBytes: sizes.consoleBytes,
    dbValueBytes: sizes.dbValueBytes,
    dbBytes: sizes.dbBytes,
    dbWritesMax: 10_000,
    // Of one run, including overwritten values: each write crosses to the host. Forty times the whole db.
    dbWrittenBytesMax: 16 * MiB,
    timersMax: 10_000,
    // In one turn: each crosses to the host, whose thread the others in the process share.
    timerCallsMax: 20_000,
    // More wait in the component's own memory.
    requestsOpenMax: 32,
    requestBodyBytes: 10 * MiB,
    // Half of the memory of an isolate, which holds them.
    tmpBytes: 64 * MiB,
    tmpEntriesMax: 10_000,
  },
};

/** The wall limit of an invocation. */
export const wallMs = (limits: SandboxLimits, what: string, runTimeoutMs?: number): number =>
  what === 'run' || isCall(what) ? (runTimeoutMs ?? limits.runWallMs) : limits.hookWallMs;
