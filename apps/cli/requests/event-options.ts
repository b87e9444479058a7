// Reads the event of the options `--event` and `--event-file`, as JSON.
import { usageFailure } from '../failures/failure.ts';
import { contentOf } from '../session/content.ts';
import type { Session } from '../session/session.ts';

export interface EventOptions {
  readonly event?: string;
  readonly eventFile?: string;
}

/** Undefined if neither is given. Throws a usage failure for both, an unreadable file, or text that is not JSON. */
export async function readEventOption(
  session: Session,
  { event, eventFile }: EventOptions,
): Promise<{ readonly event: unknown } | undefined> {
  if (event !== undefined && eventFile !== undefined)
    throw usageFailure('--event and --event-file do not go together.');
  if (eventFile !== undefined) return { event: parseJson(await contentOf(session, eventFile), eventFile) };
  return event === undefined ? undefined : { event: parseJson(event, 'The event') };
}

function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw usageFailure(`${what === '-' ? 'What came on stdin' : what} is not JSON.`);
  }
}
