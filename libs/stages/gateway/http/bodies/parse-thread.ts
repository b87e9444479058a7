// The thread where large bodies are parsed, so that none of them holds up the main thread.
import { parentPort } from 'node:worker_threads';
import { parseBodyText } from './body-text.ts';

if (parentPort === null) throw new Error('parse-thread runs as a worker thread');
const port = parentPort;
port.on('message', (bytes: Uint8Array) => port.postMessage(parseBodyText(bytes)));
