// Receives messages of the guest and checks each argument, because a component might have tampered with the guest.
import { requestHeadUnitsMax, delayMaxMs, toHost } from '../../wire.ts';
import { joinText } from './pieces.ts';

const MiB = 1024 * 1024;
/** More than the guest's own code ever sends: an emit with its head, a response's body in base64, an error's stack. */
const unitsMax = { emit: MiB, console: MiB, body: 8 * MiB, error: MiB, db: MiB, level: 16, ask: requestHeadUnitsMax };
/** Enough for a hundred long headers of a response. */
const headUnitsMax = 64 * 1024;

/** HTTP requests, by the id that the guest assigned. */
export interface RequestHandler {
  ask(id: number, callId: number, head: string, body: ArrayBuffer | undefined): void;
  pull(id: number): void;
  abort(id: number): void;
}

/** Timers, by the id that the guest assigned. */
export interface TimerHandler {
  set(id: number, delayMs: number, owner: number): void;
  delete(id: number): void;
  /** The author need not be warned if the invocation ends before the timer fires. */
  unref(id: number): void;
}

export interface MailboxOwner {
  readonly requests: RequestHandler;
  readonly timers: TimerHandler;
  emit(id: number, text: string): void;
  console(id: number, level: string, text: string): void;
  respond(id: number, head: string, body: string): void;
  db(key: string, text: string | null): void;
  done(id: number, error: string | null): void;
  /** Called if the guest sent what its own code never sends. */
  tampered(): void;
}

const isText = (value: unknown, max: number): value is string => typeof value === 'string' && value.length <= max;

const isTextOrNull = (value: unknown, max: number): value is string | null => value === null || isText(value, max);

const isBody = (value: unknown): value is ArrayBuffer | undefined =>
  value === undefined || value instanceof ArrayBuffer;

const isId = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value);

const isDelay = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= delayMaxMs;

export function receive(
  owner: MailboxOwner,
  ...[message, id, first, second, third, ...pieces]: readonly unknown[]
): void {
  const args = joinText([first, second, third], pieces);
  if (args === undefined) owner.tampered();
  else deliver(owner, message, id, ...args);
}

function deliver(owner: MailboxOwner, ...[message, id, a, b, c]: readonly unknown[]): void {
  if (!isId(id)) owner.tampered();
  else if (message === toHost.emit && isText(a, unitsMax.emit)) owner.emit(id, a);
  else if (message === toHost.console && isText(a, unitsMax.level) && isText(b, unitsMax.console))
    owner.console(id, a, b);
  else if (message === toHost.respond && isText(a, headUnitsMax) && isText(b, unitsMax.body)) owner.respond(id, a, b);
  else if (message === toHost.db && isText(a, unitsMax.db) && isTextOrNull(b, unitsMax.db)) owner.db(a, b);
  else if (message === toHost.done && isTextOrNull(a, unitsMax.error)) owner.done(id, a);
  else if (message === toHost.timer && isDelay(a) && isId(b)) owner.timers.set(id, a, b);
  else if (message === toHost.clearTimer) owner.timers.delete(id);
  else if (message === toHost.unref) owner.timers.unref(id);
  else if (message === toHost.ask && isId(a) && isText(b, unitsMax.ask) && isBody(c)) owner.requests.ask(id, a, b, c);
  else if (message === toHost.pull) owner.requests.pull(id);
  else if (message === toHost.abort) owner.requests.abort(id);
  else owner.tampered();
}
