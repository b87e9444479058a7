// Loads a component in an isolate that is thrown away, and reads its manifest.
import type { DescribedMessage, DescribeOrder } from '../protocol.ts';
import { told } from '../wire.ts';
import { ConsoleBuffer } from './call/call.ts';
import { shownConsole } from './call/ended.ts';
import { errorJson, limitError } from './errors.ts';
import type { InstanceHost } from './instance.ts';
import { GuestIsolate } from './isolate/isolate.ts';
import type { MailboxOwner } from './isolate/mailbox.ts';
import { readDescribed } from './guest-output/described.ts';
import { Positions } from './guest-output/positions.ts';

const settleMs = 3_000;
/** For making the isolate, on a busy machine without a snapshot. */
const bootAllowanceMs = 1_500;

/** While it loads, a component can only print: nothing else has a recipient. */
const onlyConsole = (lines: ConsoleBuffer): MailboxOwner => ({
  console: (_id, level, text) => lines.add(level, text),
  emit: () => {},
  respond: () => {},
  db: () => {},
  done: () => {},
  timer: () => {},
  clearTimer: () => {},
  tampered: () => {},
  requests: { ask: () => {}, pull: () => {}, abort: () => {} },
});

const refused = (error: string): string => `{"error":${error}}`;

/** The guest's answer, or why it gave none; both are JSON. */
async function ask(host: InstanceHost, isolate: GuestIsolate, js: string, lines: ConsoleBuffer): Promise<string> {
  const { limits, template } = host;
  try {
    await isolate.boot(template, '', onlyConsole(lines));
    return String(await isolate.turn(limits.loadMs, told.load, 0, await isolate.compile(js), '{}', true));
  } catch (error) {
    const failure = isolate.failureOf(error);
    if (failure === 'uncaught') return refused(errorJson(error));
    if (failure === 'out_of_memory') return refused(limitError('memory', limits.memoryMb));
    return refused(limitError('load', limits.loadMs));
  }
}

export async function describe(host: InstanceHost, { id, js, map }: DescribeOrder): Promise<void> {
  const { limits, template } = host;
  const lines = new ConsoleBuffer(limits.guest.consoleBytes);
  const positions = new Positions(map);
  let answered = false;
  const tell = (answer: string): void => {
    if (answered) return;
    answered = true;
    const result = readDescribed(answer, positions, limits.guest.manifestUnits);
    const message: DescribedMessage = {
      type: 'described',
      id,
      result,
      console: shownConsole(lines.lines, positions, []),
    };
    host.send(message);
  };
  const isolate = new GuestIsolate(template, () => {
    tell(refused(limitError('memory', limits.memoryMb)));
    host.unrecoverable('V8 could not end an isolate that ran out of memory');
  });
  let stuck: NodeJS.Timeout | undefined;
  // Ends the wait for host work, which does not count as the component's time. An endless built-in outlasts even that.
  const late = setTimeout(() => {
    isolate.dispose();
    stuck = setTimeout(() => {
      tell(refused(limitError('load', limits.loadMs)));
      host.unrecoverable('a component that is being described cannot be stopped');
    }, settleMs);
  }, limits.loadMs + bootAllowanceMs);
  tell(await ask(host, isolate, js, lines));
  clearTimeout(late);
  clearTimeout(stuck);
  isolate.dispose();
}
