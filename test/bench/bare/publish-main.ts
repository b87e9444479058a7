// The bare pipeline of a published event: an HTTP server, a durable row for each commit, and a POST.
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Agent } from 'undici';
import type { PipelineConfig } from './pipeline-main.ts';

const connectionsMax = 64;

interface PendingPublish {
  readonly body: string;
  readonly response: ServerResponse;
}

process.once('message', ({ directory, url }: PipelineConfig) => {
  const db = new Database(join(directory, 'bare.sqlite'));
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec('CREATE TABLE events (id INTEGER PRIMARY KEY, event TEXT NOT NULL)');
  const insert = db.prepare('INSERT INTO events (event) VALUES (?)');
  const agent = new Agent({ connections: connectionsMax });
  const { origin, pathname: path } = new URL(url);

  const deliver = async (event: unknown): Promise<void> => {
    const headers = { 'content-type': 'application/json' };
    const { body } = await agent.request({ origin, path, method: 'POST', headers, body: JSON.stringify(event) });
    await body.dump();
  };

  let pending: PendingPublish[] = [];
  /** Writes all events of one turn of the event loop to one row. */
  const commit = (): void => {
    const committed = pending;
    pending = [];
    insert.run(`[${committed.map(({ body }) => body).join(',')}]`);
    for (const { body, response } of committed) {
      response.writeHead(200, { 'content-length': '2' }).end('ok');
      const published = JSON.parse(body) as { event?: unknown; events?: readonly { readonly event: unknown }[] };
      for (const { event } of published.events ?? [{ event: published.event }]) void deliver(event);
    }
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (pending.length === 0) setImmediate(commit);
      pending.push({ body: Buffer.concat(chunks).toString(), response });
    });
  });
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
  process.once('disconnect', () => process.exit());
});
