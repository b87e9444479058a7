// The bare pipeline of an event: an HTTP server, a durable row, an isolate in a fork, and a POST.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Agent } from 'undici';
import { BareRunner } from './runner.ts';

/** The parent's message, sent once. */
export interface PipelineConfig {
  readonly directory: string;
  readonly sources: number;
  readonly code: string;
  /** The URL to which each emitted event is posted. */
  readonly url: string;
}

const connectionsMax = 64;

process.once('message', ({ directory, sources, code, url }: PipelineConfig) => {
  const db = new Database(join(directory, 'bare.sqlite'));
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec('CREATE TABLE events (id INTEGER PRIMARY KEY, event TEXT NOT NULL)');
  const insert = db.prepare('INSERT INTO events (event) VALUES (?)');
  const runner = new BareRunner();
  for (let source = 0; source < sources; source++) runner.load(`/${source}`, code);
  const agent = new Agent({ connections: connectionsMax });
  const { origin, pathname: path } = new URL(url);

  const deliver = async (emits: string): Promise<void> => {
    for (const { event } of JSON.parse(emits) as { event: unknown }[]) {
      const headers = { 'content-type': 'application/json' };
      const { body } = await agent.request({ origin, path, method: 'POST', headers, body: JSON.stringify(event) });
      await body.dump();
    }
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const event = `{"body":${Buffer.concat(chunks).toString()}}`;
      insert.run(event);
      response.writeHead(200, { 'content-length': '2' }).end('ok');
      void runner.run({ source: request.url ?? '', event, props: '{}' }).then(deliver);
    });
  });
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
  process.once('disconnect', () => void runner.end().then(() => process.exit()));
});
