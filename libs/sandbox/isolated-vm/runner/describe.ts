// Loads a component in an isolate that is thrown away, and asks it what it is.
import type { DescribedMessage } from '../protocol.ts';
import { ConsoleBuffer } from './call.ts';
import { errorJson, limitError } from './errors.ts';
import type { InstanceHost } from './instance.ts';
import { GuestIsolate, told } from './isolate/isolate.ts';
import type { MailboxOwner } from './isolate/mailbox.ts';

const settleMs = 1_000;

/** While it loads a component can only print: everything else has nobody to go to. */
const onlyConsole = (lines: ConsoleBuffer): MailboxOwner => ({
  console: (_id, level, text) => lines.add(level, text),
  emit: () => {},
  respond: () => {},
  db: () => {},
  done: () => {},
  timer: () => {},
  clearTimer: () => {},
});

async function ask(host: InstanceHost, isolate: GuestIsolate, js: string, lines: ConsoleBuffer): Promise<string> {
  const { limits, mould } = host;
  try {
    await isolate.boot(mould, '', onlyConsole(lines));
    return String(await isolate.turn(limits.loadMs, told.load, 0, await isolate.compile(js), '{}', true));
  } catch (error) {
    const failure = isolate.failureOf(error);
    if (failure === 'timed_out') return `{"error":${limitError('load', limits.loadMs)}}`;
    if (failure === 'uncaught') return `{"error":${errorJson(error)}}`;
    return `{"error":${limitError('memory', limits.memoryMb)}}`;
  }
}

export async function describe(host: InstanceHost, id: number, js: string): Promise<void> {
  const lines = new ConsoleBuffer(host.limits.guest.consoleBytes);
  let answered = false;
  const tell = (answer: string): void => {
    if (answered) return;
    answered = true;
    const message: DescribedMessage = { type: 'described', id, answer, console: lines.lines };
    host.send(message);
  };
  const isolate = new GuestIsolate(host.mould, () => {
    tell(`{"error":${limitError('memory', host.limits.memoryMb)}}`);
    host.doom('V8 could not end an isolate that ran out of memory');
  });
  // A builtin that cannot be interrupted outlasts the time limit: then the process goes.
  const stuck = setTimeout(
    () => {
      tell(`{"error":${limitError('load', host.limits.loadMs)}}`);
      host.doom('a component that is being described cannot be stopped');
    },
    host.limits.loadMs + bootAllowanceMs + settleMs,
  );
  tell(await ask(host, isolate, js, lines));
  clearTimeout(stuck);
  isolate.dispose();
}

/** Making the isolate, on a busy machine without a snapshot. */
const bootAllowanceMs = 1_500;
