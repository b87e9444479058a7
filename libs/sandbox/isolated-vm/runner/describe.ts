// Loads a component in an isolate that is used only once, and reads its manifest.
import type { DescribedMessage, DescribeOrder } from '../runner-protocol.ts';
import { toGuest } from '../wire.ts';
import { ConsoleBuffer } from './call/call.ts';
import { shownConsole } from './call/ended.ts';
import { errorJson, limitError } from './component-errors.ts';
import type { InstanceHost } from './instance.ts';
import type { Prepared, SpareIsolates } from './isolate/spare.ts';
import { IsolateTurns } from './isolate-turns.ts';
import { patience } from '../sandbox-limits.ts';
import { readDescribed } from './guest-output/described.ts';
import { Positions } from './guest-output/positions.ts';

const settleMs = 3_000;
/** Loading is limited in seconds of processor time, so this interval is exact enough. */
const watchMs = 50;
/** Time for making the isolate, on a busy machine without a snapshot. */
const bootAllowanceMs = 1_500;

const refused = (error: string): string => `{"error":${error}}`;

/** The guest's answer, or the error; both are JSON. */
async function ask(
  { limits }: InstanceHost,
  { isolate, booted }: Prepared,
  { js, memoryMb, giveUp }: { readonly js: string; readonly memoryMb: number; readonly giveUp: () => void },
): Promise<string> {
  const turns = new IsolateTurns(() => isolate.queuedMs);
  let watch: NodeJS.Timeout | undefined;
  try {
    await booted;
    const module = await isolate.compile(js);
    turns.begin(0, limits.loadMs);
    watch = setInterval(() => {
      if (turns.overdue() !== undefined) giveUp();
    }, watchMs);
    return String(await isolate.turn(limits.loadMs * patience, toGuest.load, 0, module, '{}', true));
  } catch (error) {
    const failure = isolate.failureOf(error);
    if (failure === 'uncaught') return refused(errorJson(error));
    if (failure === 'out_of_memory') return refused(limitError('memory', memoryMb));
    return refused(limitError('load', limits.loadMs));
  } finally {
    clearInterval(watch);
  }
}

export async function describe(
  host: InstanceHost,
  spare: SpareIsolates,
  { id, js, map, memoryMb: asked = 0 }: DescribeOrder,
): Promise<void> {
  const { limits } = host;
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
  const memoryMb = Math.max(asked, spare.memoryMb);
  const prepared = spare.take(memoryMb);
  prepared.use(lines, () => {
    tell(refused(limitError('memory', memoryMb)));
    host.unrecoverable('V8 could not end an isolate that ran out of memory');
  });
  let stuck: NodeJS.Timeout | undefined;
  // An endless built-in function continues even after the isolate was disposed.
  const giveUp = (): void => {
    prepared.isolate.dispose();
    stuck ??= setTimeout(() => {
      tell(refused(limitError('load', limits.loadMs)));
      host.unrecoverable('a component that is being described cannot be stopped');
    }, settleMs);
  };
  // Ends the wait for work of the host, which does not count as the component's time.
  const late = setTimeout(giveUp, limits.loadMs * patience + bootAllowanceMs);
  tell(await ask(host, prepared, { js, memoryMb, giveUp }));
  clearTimeout(late);
  clearTimeout(stuck);
  prepared.isolate.dispose();
  spare.replace();
}
