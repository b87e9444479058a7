// Sends exports as fast as their readers receive them; bounds how many run at a time.
import { once } from 'node:events';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { TooManyWaiting } from '../../../control/waiting/too-many-waiting.ts';

/** Each export reads the log and hashes what it reads. */
const exportsMax = { gateway: 8, workspace: 2 };
/** A reader that receives nothing for this long counts as gone. It can continue from its last cursor. */
const drainMs = 60_000;

export const exportHeaders = { 'content-type': 'application/x-ndjson; charset=utf-8', 'cache-control': 'no-store' };

export interface ExportStream {
  readonly workspace: string;
  readonly text: AsyncGenerator<string>;
  /** Whether its API key is still valid. */
  readonly isAdmitted: () => boolean;
  /** Takes the response from the framework. */
  readonly begin: () => { readonly response: ServerResponse; readonly headers: OutgoingHttpHeaders };
}

export class ExportStreams {
  readonly #countByWorkspace = new Map<string, number>();
  #openCount = 0;

  /** Resolves when all was sent. An error before the first piece is thrown; a later one ends the connection. */
  async send(stream: ExportStream): Promise<void> {
    const { workspace } = stream;
    const workspaceCount = this.#countByWorkspace.get(workspace) ?? 0;
    if (this.#openCount >= exportsMax.gateway || workspaceCount >= exportsMax.workspace)
      throw new TooManyWaiting('Too many exports are under way.');
    this.#openCount += 1;
    this.#countByWorkspace.set(workspace, workspaceCount + 1);
    try {
      await pipeToResponse(stream);
    } finally {
      this.#openCount -= 1;
      const remaining = (this.#countByWorkspace.get(workspace) ?? 1) - 1;
      if (remaining === 0) this.#countByWorkspace.delete(workspace);
      else this.#countByWorkspace.set(workspace, remaining);
    }
  }
}

async function pipeToResponse({ text, isAdmitted, begin }: ExportStream): Promise<void> {
  const first = await text.next();
  const { response, headers } = begin();
  const disconnect = new AbortController();
  response.once('close', () => disconnect.abort());
  response.on('error', () => response.destroy());
  try {
    response.writeHead(200, { ...headers, ...exportHeaders });
    for (let piece = first; piece.done !== true; piece = await text.next()) {
      if (response.destroyed || !isAdmitted()) break;
      if (response.write(piece.value)) continue;
      await once(response, 'drain', { signal: AbortSignal.any([disconnect.signal, AbortSignal.timeout(drainMs)]) });
    }
    if (isAdmitted()) response.end();
    else response.destroy();
  } catch {
    // A file without its last line counts as incomplete everywhere.
    response.destroy();
  } finally {
    await text.return(undefined);
  }
}
