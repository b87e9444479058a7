// Rebuilds the views: through the service that runs on the data, or in this process when none runs.
import { once } from 'node:events';
import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { text as body } from 'node:stream/consumers';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PortError } from '../domain/port-error.ts';
import type { Config } from './config/config.ts';
import type { RebuildingEngine, Stores } from './engine.ts';
import { openOutputs } from './output/outputs.ts';
import type { LineWriter } from './output/line-format.ts';

interface RebuildResult {
  readonly documents: number;
  readonly durationMs: number;
}

/** If a rebuild takes more than a day, a person should look at it. */
const rebuildMaxMs = 24 * 60 * 60 * 1_000;

type RebuildLocally<More extends unknown[] = []> = (stores: Stores, ...more: More) => Promise<RebuildResult>;
/** Called with each retryable error, before the next try. */
type OnRetry = (error: Error) => void;

/** Prints the result and ends the process, with exit code 1 on failure. */
export async function rebuild<Configured extends Config>(
  engine: RebuildingEngine<Configured>,
  rebuildLocally: RebuildLocally<[OnRetry]>,
): Promise<void> {
  const outputs = openOutputs();
  try {
    const config = engine.readConfig();
    const options = {
      rebuildLocally: (stores: Stores) => rebuildLocally(stores, reportEachReason(outputs.stderr)),
      onRebuildRequested: (url: string) => announceLater(outputs.stderr, url),
    };
    const { documents, durationMs } = await rebuildHereOrByService(engine, config, options);
    outputs.stdout.write(`Rebuilt the views: ${documents} documents in ${Math.round(durationMs)} ms\n`);
  } catch (error) {
    outputs.stderr.write(`The views were not rebuilt, the old ones stay: ${(error as Error).message}\n`);
    process.exitCode = 1;
  }
  await outputs.flush();
  process.exit();
}

/** Retries continue without a limit, so each new reason is printed for the waiting user. */
export function reportEachReason(lines: LineWriter): OnRetry {
  let last: string | undefined;
  return ({ message }) => {
    if (message === last) return;
    last = message;
    lines.write(`The rebuild waits, and tries again: ${message}\n`);
  };
}

/** Most rebuilds have ended by then; if one waits for its stores, the service logs the reason. */
const quietMs = 10_000;

/** Prints once, after `afterMs`, which service works and where it logs trouble. Returns a function that cancels it. */
export function announceLater(lines: LineWriter, url: string, afterMs = quietMs): () => void {
  const message = `The service at ${new URL(url).origin} makes the views anew; if it has trouble, its log says so.\n`;
  const timer = setTimeout(() => lines.write(message), afterMs);
  return () => clearTimeout(timer);
}

interface RebuildOptions {
  readonly rebuildLocally: RebuildLocally;
  /** Called when the service at `url` is requested to rebuild; returns a function to call when it has answered. */
  readonly onRebuildRequested: (url: string) => () => void;
}

export async function rebuildHereOrByService<Configured extends Config>(
  engine: RebuildingEngine<Configured>,
  config: Configured,
  { rebuildLocally, onRebuildRequested }: RebuildOptions,
): Promise<RebuildResult> {
  try {
    const stores = await engine.openStores(config);
    return await rebuildLocally(stores).finally(() => stores.close());
  } catch (error) {
    if (!(error instanceof PortError && error.code === 'in_use')) throw error;
    const url = engine.rebuildUrl(config);
    const cancelAnnouncement = onRebuildRequested(url);
    return await requestRebuild(url, config).finally(cancelAnnouncement);
  }
}

async function requestRebuild(url: string, { dataDir }: Config): Promise<RebuildResult> {
  const key = (await readFile(join(dataDir, 'api-key'), 'utf8')).trim();
  const { status, text } = await post(url, { authorization: `Bearer ${key}` }).catch((error: unknown) => {
    const advice = 'Give this command the HOST and PORT that the service runs with.';
    throw new Error(`A service uses ${dataDir}, but none answers at ${url} (${(error as Error).message}). ${advice}`);
  });
  if (status !== 200) throw new Error(`${url} answered ${status}: ${text}`);
  return JSON.parse(text) as RebuildResult;
}

/** The response arrives when the rebuild has ended, which can take long; `fetch` would give up after five minutes. */
async function post(url: string, headers: OutgoingHttpHeaders): Promise<{ status: number | undefined; text: string }> {
  const outgoing = request(url, { method: 'POST', headers, signal: AbortSignal.timeout(rebuildMaxMs) }).end();
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, text: await body(answer) };
}
