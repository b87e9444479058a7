// How an invocation ended, as the port promises it: mapped to the deployed source, without secrets, within its bounds.
import { maskConsole, maskError } from '../../../../domain/channel/run-text.ts';
import type { ComponentError, ConsoleLine } from '../../../../domain/component/messages.ts';
import type { InvocationEnd } from '../../../sandbox.ts';
import type { EndedMessage } from '../../protocol.ts';
import type { Call } from './call.ts';
import type { DbWrites } from './db-writes.ts';
import { componentError, mapConsoleText } from '../said/component-error.ts';
import type { Positions } from '../said/positions.ts';

export interface Ending {
  readonly end: InvocationEnd;
  /** JSON of the guest's, or of a limit's. */
  readonly error?: string;
}

const tampered: ComponentError = {
  name: 'SandboxError',
  message: 'The component has changed how the sandbox reports what it does; what could not be read was left out',
};

export function shownConsole(
  lines: readonly ConsoleLine[],
  positions: Positions,
  secrets: readonly string[],
): readonly ConsoleLine[] {
  const mapped = lines.map((line) => ({ ...line, text: mapConsoleText(line.text, positions) }));
  return maskConsole(mapped, secrets);
}

/** Takes the source's unsaved writes along, unless the invocation is lost. */
export function endedMessage(call: Call, ending: Ending, writes: DbWrites, positions: Positions): EndedMessage {
  const { id, secrets } = call;
  const durationMs = performance.now() - call.startedAt;
  const { end, error } = withTampering(call, ending, positions);
  const shown = error === undefined ? {} : { error: maskError(error, secrets) };
  if (end === 'lost') return { type: 'ended', id, end, ...shown, emits: [], dbWrites: [], console: [], durationMs };
  const console = shownConsole(call.console.lines, positions, secrets);
  return { type: 'ended', id, end, ...shown, emits: call.emits, dbWrites: writes.take(), console, durationMs };
}

interface Told {
  readonly end: InvocationEnd;
  readonly error: ComponentError | undefined;
}

function withTampering(call: Call, { end, error }: Ending, positions: Positions): Told {
  if (end === 'finished' && call.tampered) return { end: 'threw', error: tampered };
  return { end, error: error === undefined ? undefined : componentError(error, positions) };
}
