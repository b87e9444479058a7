// Keeps the invocations under way and how much each has output, so that a flood is stopped before it reaches the host.
import { currentInvocation, toHost, send } from './bridge.ts';
import { limits } from './guest-limits.ts';
import { mapDelete, mapGet, mapSet, stringSlice } from './primordials.ts';

export type Level = 'debug' | 'log' | 'info' | 'warn' | 'error';

/** The HTTP requests of one invocation: id -> body bytes. Those in `queued` have not left the isolate. */
export interface CallRequests {
  readonly open: Map<number, number>;
  readonly queued: Map<number, number>;
  bodyBytes: number;
}

export interface Call {
  readonly id: number;
  /** Its emits are ignored. */
  muted: boolean;
  emits: number;
  /** Whether its console already has the warning about an invalid emit id. */
  warnedOfIds: boolean;
  /** The same for an invalid `delivery_ts`. */
  warnedOfTimes: boolean;
  emittedBytes: number;
  /** Bytes of the records that its emits become. */
  recordsBytes: number;
  /** Bytes of the response's body, as base64. */
  respondedBytes: number;
  responded: boolean;
  /** Pending while the response's body stream is read; rejected if that has failed. */
  responding: Promise<void> | undefined;
  dbWrites: number;
  dbWrittenBytes: number;
  /** Bytes of the names of removed keys. */
  dbRemovedBytes: number;
  consoleUnits: number;
  /** The prefix that `console.group` adds to each line. */
  consoleIndent: string;
  readonly requests: CallRequests;
}

/** What a line costs besides its text, so that empty lines are limited too. */
const lineUnits = 16;

const calls = new Map<number, Call>();

export function beginCall(id: number): Call {
  const call = {
    id,
    muted: false,
    emits: 0,
    warnedOfIds: false,
    warnedOfTimes: false,
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
    requests: { open: new Map(), queued: new Map(), bodyBytes: 0 },
  };
  mapSet(calls, id, call);
  return call;
}

const ended: number[] = [];

/** Removes the invocation at the next turn, because what its code still does in this turn counts for it. */
export function endCall(id: number): void {
  ended[ended.length] = id;
}

/** Call at the beginning of each turn. */
export function removeEnded(forgetRequests: (call: Call) => void): void {
  for (let at = 0; at < ended.length; at++) {
    const call = mapGet(calls, ended[at] ?? 0);
    if (call === undefined) continue;
    mapDelete(calls, call.id);
    forgetRequests(call);
  }
  ended.length = 0;
}

export const isUnderWay = (call: Call): boolean => mapGet(calls, call.id) === call;

/** The invocation that the running code belongs to; undefined after the invocation's end. */
export const currentCall = (): Call | undefined => mapGet(calls, currentInvocation());

/** Prints a console line of the current invocation; after its end the line is dropped. */
export function writeLine(level: Level, text: string): void {
  writeTo(currentCall(), level, text);
}

/** Prints a line that must not be lost after its invocation's end: it goes to the current invocation, else to id 0. */
export function writeLateLine(level: Level, text: string): void {
  writeTo(currentCall() ?? mapGet(calls, 0), level, text);
}

function writeTo(call: Call | undefined, level: Level, text: string): void {
  if (!call || call.consoleUnits > limits().consoleBytes) return;
  call.consoleUnits += text.length + lineUnits;
  // The host cuts at the limit in bytes; text that is certainly beyond it is not sent.
  send(toHost.console, call.id, level, stringSlice(text, 0, limits().consoleBytes + 1));
}
