// Loads a component in an isolate that is used only once, and reads its manifest.
import type { DescribedMessage, DescribeOrder } from '../runner-protocol.ts';
import { toGuest } from '../wire.ts';
import { ConsoleBuffer } from './call/call.ts';
import { publicConsole } from './call/ended-message.ts';
import { errorJson, limitError } from './error-json.ts';
import type { InstanceHost } from './instance.ts';
import type { PreparedIsolate, SpareIsolates } from './isolate/spare-isolates.ts';
import { IsolateTurns } from './isolate-turns.ts';
import { wallTimeFactor } from '../sandbox-limits.ts';
import { readDescribed } from './guest-output/read-described.ts';
import { Positions } from './guest-output/positions.ts';

const settleMs = 3_000;
/** Loading is limited in seconds of processor time, so this interval is exact enough. */
const watchMs = 50;
/** Time for making the isolate, on a busy machine without a snapshot. */
const bootAllowanceMs = 1_500;

const errorAnswer = (error: string): string => `{"error":${error}}`;

/** The guest's answer, or the error; both are JSON. */
async function loadInGuest(
  { limits }: InstanceHost,
  { isolate, booted }: PreparedIsolate,
  { js, memoryMb, giveUp }: { readonly js: string; readonly memoryMb: number; readonly giveUp: () => void },
): Promise<string> {
  const turns = new IsolateTurns(() => isolate.queuedMs);
  let watchTimer: NodeJS.Timeout | undefined;
  try {
    await booted;
    const module = await isolate.compile(js);
    turns.begin(0, limits.loadMs);
    watchTimer = setInterval(() => {
      if (turns.overdueTurn() !== undefined) giveUp();
    }, watchMs);
    return String(await isolate.turn(limits.loadMs * wallTimeFactor, toGuest.load, 0, module, '{}', true));
  } catch (error) {
    const failure = isolate.failureOf(error);
    if (failure === 'uncaught') return errorAnswer(errorJson(error));
    if (failure === 'out_of_memory') return errorAnswer(limitError('memory', memoryMb));
    return errorAnswer(limitError('load', limits.loadMs));
  } finally {
    clearInterval(watchTimer);
  }
}

export async function describe(
  host: InstanceHost,
  spare: SpareIsolates,
  { id, js, map, memoryMb: requestedMemoryMb = 0 }: DescribeOrder,
): Promise<void> {
  const { limits } = host;
  const lines = new ConsoleBuffer(limits.guest.consoleBytes);
  const positions = new Positions(map);
  let hasAnswered = false;
  const sendResult = (answer: string): void => {
    if (hasAnswered) return;
    hasAnswered = true;
    const result = readDescribed(answer, positions, limits.guest.manifestUnits);
    const message: DescribedMessage = {
      type: 'described',
      id,
      result,
      console: publicConsole(lines.lines, positions, []),
    };
    host.send(message);
  };
  const memoryMb = Math.max(requestedMemoryMb, spare.memoryMb);
  const prepared = spare.take(memoryMb);
  prepared.attach(lines, () => {
    sendResult(errorAnswer(limitError('memory', memoryMb)));
    host.unrecoverable('V8 could not end an isolate that ran out of memory');
  });
  let stuckTimer: NodeJS.Timeout | undefined;
  // An endless built-in function continues even after the isolate was disposed.
  const giveUp = (): void => {
    prepared.isolate.dispose();
    stuckTimer ??= setTimeout(() => {
      sendResult(errorAnswer(limitError('load', limits.loadMs)));
      host.unrecoverable('a component that is being described cannot be stopped');
    }, settleMs);
  };
  // Ends the wait for work of the host, which does not count as the component's time.
  const lateTimer = setTimeout(giveUp, limits.loadMs * wallTimeFactor + bootAllowanceMs);
  sendResult(await loadInGuest(host, prepared, { js, memoryMb, giveUp }));
  clearTimeout(lateTimer);
  clearTimeout(stuckTimer);
  prepared.isolate.dispose();
  spare.replace();
}
