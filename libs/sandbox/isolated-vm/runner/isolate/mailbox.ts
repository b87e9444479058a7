// What the guest sends, checked argument by argument: its types are erased, and a component may have taken it over.

/** The numbers of guest/core/bridge.ts. */
const op = { emit: 1, console: 2, respond: 3, db: 4, done: 5, timer: 6, clearTimer: 7 } as const;

/** Enough for a hundred long headers. */
const headUnitsMax = 64 * 1024;
/** Longer than any text that a limit lets through. */
const keyUnitsMax = 512 * 1024;
const delayMaxMs = 2 ** 31 - 1;

export interface MailboxOwner {
  emit(id: number, text: string): void;
  console(id: number, level: string, text: string): void;
  respond(id: number, head: string, body: string): void;
  db(key: string, text: string | null): void;
  done(id: number, error: string | null): void;
  timer(id: number, delayMs: number, owner: number): void;
  clearTimer(id: number): void;
}

const isText = (value: unknown, unitsMax = Infinity): value is string =>
  typeof value === 'string' && value.length <= unitsMax;

export function receive(owner: MailboxOwner, ...[what, id, a, b]: readonly unknown[]): void {
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) return;
  if (what === op.emit && isText(a)) owner.emit(id, a);
  else if (what === op.console && isText(a) && isText(b)) owner.console(id, a, b);
  else if (what === op.respond && isText(a, headUnitsMax) && isText(b)) owner.respond(id, a, b);
  else if (what === op.db && isText(a, keyUnitsMax) && (b === null || isText(b))) owner.db(a, b);
  else if (what === op.done && (a === null || isText(a))) owner.done(id, a);
  else if (what === op.timer && typeof a === 'number' && a >= 0 && a <= delayMaxMs) owner.timer(id, a, Number(b));
  else if (what === op.clearTimer) owner.clearTimer(id);
}
