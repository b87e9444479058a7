// Sends exports as fast as their readers receive them; bounds how many run at a time.
import { once } from 'node:events';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { TooManyWaiting } from '../../../control/waiting/too-many-waiting.ts';

/** Each export reads the log and hashes what it reads. */
const exportsMax = { gateway: 8, workspace: 2 };
/** A reader that receives nothing for this long counts as gone. It can continue from its last cursor. */
const drainMs = 60_000;

export const exportHeaders = { 'content-type': 'application/x-ndjson; charset=utf-8', 'cache-control': 'no-store' };

export interface OpenExport {
  readonly workspace: string;
  readonly text: AsyncGenerator<string>;
  /** Whether its API key is still valid. */
  readonly isAdmitted: () => boolean;
  /** Takes the response from the framework. */
  readonly begin: () => { readonly response: ServerResponse; readonly headers: OutgoingHttpHeaders };
}

export class OpenExports {
  readonly #ofWorkspace = new Map<string, number>();
  #open = 0;

  /** Resolves when all was sent. An error before the first piece is thrown; a later one ends the connection. */
  async send(opened: OpenExport): Promise<void> {
    const { workspace } = opened;
    const own = this.#ofWorkspace.get(workspace) ?? 0;
    if (this.#open >= exportsMax.gateway || own >= exportsMax.workspace)
      throw new TooManyWaiting('Too many exports are under way.');
    this.#open += 1;
    this.#ofWorkspace.set(workspace, own + 1);
    try {
      await sent(opened);
    } finally {
      this.#open -= 1;
      const left = (this.#ofWorkspace.get(workspace) ?? 1) - 1;
      if (left === 0) this.#ofWorkspace.delete(workspace);
      else this.#ofWorkspace.set(workspace, left);
    }
  }
}

async function sent({ text, isAdmitted, begin }: OpenExport): Promise<void> {
  const first = await text.next();
  const { response, headers } = begin();
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  response.on('error', () => response.destroy());
  try {
    response.writeHead(200, { ...headers, ...exportHeaders });
    for (let piece = first; piece.done !== true; piece = await text.next()) {
      if (response.destroyed || !isAdmitted()) break;
      if (response.write(piece.value)) continue;
      await once(response, 'drain', { signal: AbortSignal.any([closed.signal, AbortSignal.timeout(drainMs)]) });
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
