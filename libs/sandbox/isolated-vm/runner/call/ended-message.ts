// Makes the messages about an invocation's end as the port promises: positions mapped to the source, secrets masked.
import { errorsReport, originalOf } from '../../../../domain/run/errors-report.ts';
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

export interface CallEnd {
  readonly end: InvocationEnd;
  /** The error as JSON, from the guest or for an exceeded limit. */
  readonly error?: string;
  readonly cpuMs: number;
}

const tamperingError: ComponentError = {
  name: 'SandboxError',
  message: 'The component has changed how the sandbox reports what it does; what could not be read was left out',
};

export function publicConsole(
  lines: readonly PrintedLine[],
  positions: Positions,
  secrets: readonly string[],
): readonly ConsoleLine[] {
  const mapped = lines.map((line) => ({ ...line, text: mapConsoleText(line.text, positions) }));
  return maskConsole(mapped, secrets);
}

const noOutput = { emits: [], emitsBytes: 0, dbWrites: [], console: [] } as const;

/** The end of an invocation that has not begun. */
export const lostMessage = (id: number): EndedMessage => ({
  type: 'ended',
  id,
  end: 'lost',
  ...noOutput,
  durationMs: 0,
  cpuMs: 0,
});

/** Emits in parts; the end is in the message with the last. Includes the source's unsaved writes, unless it is lost. */
export function endedMessages(
  call: Call,
  ending: CallEnd,
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

function endedMessage(call: Call, ending: CallEnd, writes: DbWrites, positions: Positions): EndedMessage {
  const { id, secrets } = call;
  const durations = { durationMs: performance.now() - call.startedAt, cpuMs: ending.cpuMs };
  const { end, error } = withTampering(call, ending, positions);
  const maskedError = error === undefined ? {} : { error: maskError(error, secrets) };
  if (end === 'lost') return { type: 'ended', id, end, ...maskedError, ...noOutput, ...durations };
  const console = publicConsole(call.console.lines, positions, secrets);
  const requests = call.requests.toRecord(secrets);
  const requestsField = requests === undefined ? {} : { requests };
  const report = maskedError.error === undefined ? {} : reportOf(call, maskedError.error);
  const output = {
    emits: call.emits,
    emitsBytes: call.emitSizer.bytes,
    dbWrites: call.writes ?? (call.isConcurrent ? [] : writes.take()),
    console,
  };
  return { type: 'ended', id, end, ...maskedError, ...report, ...output, ...requestsField, ...durations };
}

/** The report is made here, not in the product's process, because masking a large body takes many milliseconds. */
function reportOf({ reportInput, secrets }: Call, error: ComponentError): Pick<EndedMessage, 'report'> {
  if (reportInput === undefined) return {};
  const original = originalOf(reportInput.telling, JSON.parse(reportInput.event) as Json, secrets);
  return { report: errorsReport(original, { runId: reportInput.telling.runId, error }) };
}

interface EndWithError {
  readonly end: InvocationEnd;
  readonly error: ComponentError | undefined;
}

function withTampering(call: Call, { end, error }: Pick<CallEnd, 'end' | 'error'>, positions: Positions): EndWithError {
  if (end === 'finished' && call.tampered) return { end: 'threw', error: tamperingError };
  if (end === 'finished' && call.emitSizer.error !== undefined) return { end: 'threw', error: call.emitSizer.error };
  return { end, error: error === undefined ? undefined : componentError(error, positions) };
}
