// The thread that parses large bodies, so that none of them blocks the main thread.
import { parentPort } from 'node:worker_threads';
import { parseBodyText } from './body-text.ts';
import type { LargeBody } from './large-body-parser.ts';

if (parentPort === null) throw new Error('parse-thread runs as a worker thread');
const port = parentPort;
port.on('message', ({ bytes, bounds }: LargeBody) => port.postMessage(parseBodyText(bytes, bounds)));
