// Makes the messages about an invocation's end as the port promises: positions mapped to the source, secrets masked.
import { errorsReport, originalOf } from '../../../../domain/run/failed-run.ts';
import { maskConsole, maskError } from '../../../../domain/run/run-text.ts';
import type { PrintedLine } from '../../../../domain/run/run-text.ts';
import type { ComponentError, ConsoleLine } from '../../../../domain/component/output.ts';
import type { Json } from '../../../../domain/json.ts';
import type { InvocationEnd } from '../../../sandbox.ts';
import type { EmittedMessage, EndedMessage } from '../../runner-protocol.ts';
import type { Call } from './call.ts';
import type { DbWrites } from './db-writes.ts';
import { componentError, mapConsoleText } from '../guest-output/component-error.ts';
import type { Positions } from '../guest-output/positions.ts';

export interface Ending {
  readonly end: InvocationEnd;
  /** The error as JSON, from the guest or for an exceeded limit. */
  readonly error?: string;
  readonly cpuMs: number;
}

const tampered: ComponentError = {
  name: 'SandboxError',
  message: 'The component has changed how the sandbox reports what it does; what could not be read was left out',
};

export function shownConsole(
  lines: readonly PrintedLine[],
  positions: Positions,
  secrets: readonly string[],
): readonly ConsoleLine[] {
  const mapped = lines.map((line) => ({ ...line, text: mapConsoleText(line.text, positions) }));
  return maskConsole(mapped, secrets);
}

const nothing = { emits: [], emitsBytes: 0, dbWrites: [], console: [] } as const;

/** The end of an invocation that has not begun. */
export const lostMessage = (id: number): EndedMessage => ({
  type: 'ended',
  id,
  end: 'lost',
  ...nothing,
  durationMs: 0,
  cpuMs: 0,
});

/** Emits in parts; the end is in the message with the last. Includes the source's unsaved writes, unless it is lost. */
export function endedMessages(
  call: Call,
  ending: Ending,
  writes: DbWrites,
  positions: Positions,
): readonly [...EmittedMessage[], EndedMessage] {
  const ended = endedMessage(call, ending, writes, positions);
  const last = call.parts.at(-1);
  if (ended.end === 'lost' || last === undefined) return [ended];
  const { id } = ended;
  return [
    ...call.parts.slice(0, -1).map((emits) => ({ type: 'emitted', id, emits }) as const),
    { ...ended, emits: last },
  ];
}

function endedMessage(call: Call, ending: Ending, writes: DbWrites, positions: Positions): EndedMessage {
  const { id, secrets } = call;
  const took = { durationMs: performance.now() - call.startedAt, cpuMs: ending.cpuMs };
  const { end, error } = withTampering(call, ending, positions);
  const shown = error === undefined ? {} : { error: maskError(error, secrets) };
  if (end === 'lost') return { type: 'ended', id, end, ...shown, ...nothing, ...took };
  const console = shownConsole(call.console.lines, positions, secrets);
  const requests = call.requests.shown(secrets);
  const asked = requests === undefined ? {} : { requests };
  const report = shown.error === undefined ? {} : reported(call, shown.error);
  const said = {
    emits: call.emits,
    emitsBytes: call.sized.bytes,
    dbWrites: call.writes ?? (call.isConcurrent ? [] : writes.take()),
    console,
  };
  return { type: 'ended', id, end, ...shown, ...report, ...said, ...asked, ...took };
}

/** The report is made here, not in the product's process, because masking a large body takes many milliseconds. */
function reported({ told, secrets }: Call, error: ComponentError): Pick<EndedMessage, 'report'> {
  if (told === undefined) return {};
  const original = originalOf(told.telling, JSON.parse(told.event) as Json, secrets);
  return { report: errorsReport(original, { runId: told.telling.runId, error }) };
}

interface Told {
  readonly end: InvocationEnd;
  readonly error: ComponentError | undefined;
}

function withTampering(call: Call, { end, error }: Pick<Ending, 'end' | 'error'>, positions: Positions): Told {
  if (end === 'finished' && call.tampered) return { end: 'threw', error: tampered };
  if (end === 'finished' && call.sized.error !== undefined) return { end: 'threw', error: call.sized.error };
  return { end, error: error === undefined ? undefined : componentError(error, positions) };
}
