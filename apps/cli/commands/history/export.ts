// `pd history export`: writes history to a file that `pd audit verify` checks, and continues an interrupted export.
import { createWriteStream } from 'node:fs';
import { truncate } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Client, ExportRequest } from '../../../../libs/client/index.ts';
import type { Runner } from '../../session/command.ts';
import { exitCodes, Failure, usageFailure } from '../../failures/failure.ts';
import type { Session } from '../../session/session.ts';
import { interruption } from '../../streams/interrupt.ts';
import { progressOf } from './export-file.ts';
import { timeOf } from '../times.ts';

interface ExportOptions {
  readonly from?: number;
  readonly to?: number;
}

/** Tries in a row in which the connection breaks before a new cursor is written. */
const attemptsMax = 5;
const waitMs = 1_000;

const description = `Writes the history of the workspace into a file that \`pd audit verify\` verifies without the service.

An incomplete file is continued. - writes to stdout.`;

export function addExport(history: Command, runner: Runner): void {
  history
    .command('export <file>')
    .summary('write history into a file that can be verified')
    .description(description)
    .option('--from <time>', 'records from then on: a time (ISO 8601), or how long ago (24h)', timeOf)
    .option('--to <time>', 'records before then', timeOf)
    .action(runner.run(exportTo));
}

async function exportTo(session: Session, { from, to }: ExportOptions, path: string): Promise<number> {
  const client = await session.client();
  const request = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  const { signal } = interruption();
  try {
    if (path === '-')
      await pipeline(await client.signedHistory.export(request, signal), session.io.stdout, { end: false });
    else await exportToFile(session, { client, request, path, signal });
  } catch (error) {
    if (signal.aborted) return exitCodes.interrupted;
    throw error;
  }
  return exitCodes.done;
}

interface ExportTarget {
  readonly client: Client;
  readonly request: ExportRequest;
  readonly path: string;
  readonly signal: AbortSignal;
}

async function exportToFile({ out }: Session, target: ExportTarget): Promise<void> {
  const { path, request } = target;
  let { isComplete, bytes, cursor } = await progressOf(path);
  if (isComplete) throw usageFailure(`${path} holds a whole export already.`, 'Name another file.');
  if (cursor !== undefined && Object.keys(request).length > 0)
    throw usageFailure(
      `${path} holds the beginning of an export, which already has --from and --to.`,
      'Leave them out, or name another file.',
    );
  if (cursor !== undefined) out.note(`Going on with ${path}.`);
  for (let attempts = 1; !isComplete; attempts += 1) {
    const failure = await appendExport(target, bytes, cursor);
    const progress = await progressOf(path);
    if (progress.bytes > bytes) attempts = 0;
    ({ isComplete, bytes, cursor } = progress);
    if (isComplete) break;
    if (target.signal.aborted || attempts >= attemptsMax)
      throw failure ?? new Failure(`${path} is incomplete: the connection broke off. The same command continues it.`);
    await delay(waitMs, undefined, { signal: target.signal });
  }
  out.note(`${path} is whole. Verify it with: pd audit verify ${path}`);
}

/** Returns the error that broke the transfer, if any. Throws if the service or the file refuses: no retry can help. */
async function appendExport(
  { client, request, path, signal }: ExportTarget,
  bytes: number,
  cursor: string | undefined,
): Promise<unknown> {
  const body = await client.signedHistory.export(cursor === undefined ? request : { cursor }, signal);
  try {
    if (bytes > 0) await truncate(path, bytes);
    await pipeline(body, createWriteStream(path, { flags: bytes > 0 ? 'a' : 'w', mode: 0o600 }));
    return undefined;
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException;
    if (syscall === 'open') throw usageFailure(`${path} cannot be written: ${message}`);
    return error;
  }
}
