// What a runner says about an invocation, checked and turned into what the port promises.
import type { ConsoleLine } from '../../../domain/component/messages.ts';
import type { Json } from '../../../domain/json.ts';
import type { Emit, HttpResponse, InvocationOutcome } from '../../sandbox.ts';
import type { EndedMessage, RespondMessage } from '../protocol.ts';
import type { Compiled } from '../compile/compile.ts';
import { componentError, componentFile, mapConsoleText, readObject } from '../compile/component-error.ts';

const hasPosition = ({ text }: ConsoleLine): boolean => text.includes(`${componentFile}:`);

/** Undefined when the guest's text is not an emit: then somebody has tampered with it, and nothing was promised. */
function readEmit(text: string): Emit | undefined {
  const { channel, id, summary, ts, event } = readObject(text);
  if (typeof channel !== 'string' || event === undefined) return undefined;
  return {
    event: event as Json,
    channel,
    ...(typeof id === 'string' || typeof id === 'number' ? { id } : {}),
    ...(typeof summary === 'string' ? { summary } : {}),
    ...(typeof ts === 'number' ? { ts } : {}),
  };
}

const isEmit = (emit: Emit | undefined): emit is Emit => emit !== undefined;

/** `compiledOf` is asked only when there is a position to read. */
export function readOutcome(message: EndedMessage, compiledOf: () => Compiled | undefined): InvocationOutcome {
  const { end, error, emits, dbWrites, console, durationMs } = message;
  const compiled = error !== undefined || console.some(hasPosition) ? compiledOf() : undefined;
  return {
    end,
    ...(error === undefined ? {} : { error: componentError(error, compiled) }),
    emits: emits.map(readEmit).filter(isEmit),
    dbWrites,
    console: compiled ? console.map((line) => ({ ...line, text: mapConsoleText(line.text, compiled) })) : console,
    durationMs,
  };
}

const lostError = { name: 'Lost', message: 'The process that ran the component ended, or its instance was disposed' };

export const lostOutcome = (durationMs: number): InvocationOutcome => ({
  end: 'lost',
  error: lostError,
  emits: [],
  dbWrites: [],
  console: [],
  durationMs,
});

function headerValue(value: unknown): string | readonly string[] | undefined {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;
}

/** Undefined when it is not a response. */
export function readResponse({ head, body }: RespondMessage): HttpResponse | undefined {
  const { status, headers, encoding } = readObject(head);
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 100 || status > 599) return undefined;
  const given = typeof headers === 'object' && headers !== null ? Object.entries(headers) : [];
  const kept = given.flatMap(([name, value]) => {
    const text = headerValue(value);
    return text === undefined ? [] : [[name, text] as const];
  });
  const bodyBase64 = encoding === 'base64' ? body : Buffer.from(body).toString('base64');
  return { status, headers: Object.fromEntries(kept), bodyBase64 };
}
