// The thread where large bodies are parsed, so that none of them holds up the main thread.
import { parentPort } from 'node:worker_threads';
import { parseBodyText } from './body-text.ts';
import type { LargeBody } from './large-bodies.ts';

if (parentPort === null) throw new Error('parse-thread runs as a worker thread');
const port = parentPort;
port.on('message', ({ bytes, bounds }: LargeBody) => port.postMessage(parseBodyText(bytes, bounds)));
