// The invocations that are under way and what each has put out, so that a flood ends here and not in the host.
import { currentInvocation, toHost, send } from './bridge.ts';
import { limits } from './guest-limits.ts';
import { mapDelete, mapGet, mapSet, stringSlice } from './primordials.ts';

export type Level = 'debug' | 'log' | 'info' | 'warn' | 'error';

/** The HTTP requests of one invocation, by id, with their body bytes; those in line have not left the isolate. */
export interface CallRequests {
  readonly open: Map<number, number>;
  readonly line: Map<number, number>;
  bodyBytes: number;
}

export interface Call {
  readonly id: number;
  /** Its emits go nowhere. */
  muted: boolean;
  emits: number;
  /** Whether its console already has the warning about an emit's id that cannot be used. */
  toldOfIds: boolean;
  /** The same for a `delivery_ts` that cannot be read. */
  toldOfTimes: boolean;
  emittedBytes: number;
  /** Of the records that its emits become. */
  recordsBytes: number;
  /** Bytes of the response's body, as base64. */
  respondedBytes: number;
  responded: boolean;
  /** A response whose body is a stream that is being read, or could not be read. */
  responding: Promise<void> | undefined;
  dbWrites: number;
  dbWrittenBytes: number;
  /** Bytes of the names of removed keys. */
  dbRemovedBytes: number;
  consoleUnits: number;
  /** What `console.group` puts before its lines. */
  consoleIndent: string;
  readonly requests: CallRequests;
}

/** What a line costs beside its text, so that empty lines are bounded too. */
const lineUnits = 16;

const calls = new Map<number, Call>();

export function beginCall(id: number): Call {
  const call = {
    id,
    muted: false,
    emits: 0,
    toldOfIds: false,
    toldOfTimes: false,
    emittedBytes: 0,
    recordsBytes: 0,
    respondedBytes: 0,
    responded: false,
    responding: undefined,
    dbWrites: 0,
    dbWrittenBytes: 0,
    dbRemovedBytes: 0,
    consoleUnits: 0,
    consoleIndent: '',
    requests: { open: new Map(), line: new Map(), bodyBytes: 0 },
  };
  mapSet(calls, id, call);
  return call;
}

const ended: number[] = [];

/** An ended invocation is forgotten at the next turn: until its last turn is over, what it leaves running counts. */
export function endCall(id: number): void {
  ended[ended.length] = id;
}

/** Call at the beginning of each turn. */
export function forgetEnded(forgetRequests: (call: Call) => void): void {
  for (let at = 0; at < ended.length; at++) {
    const call = mapGet(calls, ended[at] ?? 0);
    if (call === undefined) continue;
    mapDelete(calls, call.id);
    forgetRequests(call);
  }
  ended.length = 0;
}

export const isUnderWay = (call: Call): boolean => mapGet(calls, call.id) === call;

/** The invocation that the code that runs now belongs to; undefined after its end. */
export const currentCall = (): Call | undefined => mapGet(calls, currentInvocation());

/** Prints a console line of the invocation that runs now; after its end the line is dropped. */
export function writeLine(level: Level, text: string): void {
  writeTo(currentCall(), level, text);
}

/** A line that must not be lost when its invocation has ended: whichever runs now or runs next prints it. */
export function writeLateLine(level: Level, text: string): void {
  writeTo(currentCall() ?? mapGet(calls, 0), level, text);
}

function writeTo(call: Call | undefined, level: Level, text: string): void {
  if (!call || call.consoleUnits > limits().consoleBytes) return;
  call.consoleUnits += text.length + lineUnits;
  // The host cuts at the limit in bytes; what is certainly beyond it need not cross.
  send(toHost.console, call.id, level, stringSlice(text, 0, limits().consoleBytes + 1));
}
