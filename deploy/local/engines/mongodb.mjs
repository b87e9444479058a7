// Runs a MongoDB server: the machine's mongod, or otherwise a server of the same protocol that cargo builds once.
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir } from './places.mjs';
import { Server } from './server.mjs';
import { has, need, run } from './tools.mjs';

/** Pinned: a beta under the GPL, so it runs as a separate process and is neither shipped nor committed. */
const crate = { name: 'secantus-mdb', version: '0.5.3-beta.196' };
/** Four times the duration with two processors. */
const buildTimeoutMs = 40 * 60_000;
const rootDir = join(cacheDir, 'secantus');
const binary = join(rootDir, 'bin', 'secantusd-rs');

/** `{ hello: 1, $db: 'admin' }` as one OP_MSG. */
const ask = message(
  Buffer.concat([
    Buffer.from([0x10]),
    Buffer.from('hello\0'),
    int32(1),
    Buffer.from([0x02]),
    Buffer.from('$db\0'),
    int32(6),
    Buffer.from('admin\0'),
  ]),
);

export function mongodbServer({ port, dataDir }) {
  const dir = join(dataDir, 'mongodb');
  const server = new Server({ name: 'MongoDB', dir, port, ask });
  return {
    server,
    start: () => server.start(() => command(join(dir, 'data'), port)),
    variable: `MONGODB_URL=mongodb://127.0.0.1:${port}/wellspring`,
  };
}

async function command(dataDir, port) {
  mkdirSync(dataDir, { recursive: true });
  if (has('mongod')) return ['mongod', '--bind_ip', '127.0.0.1', '--port', String(port), '--dbpath', dataDir];
  await build();
  // Without --sync-on-commit it acknowledges writes that are lost after a kill.
  const durable = ['--storage-path', dataDir, '--sync-on-commit'];
  return [binary, '--host', '127.0.0.1', '--port', String(port), ...durable];
}

async function build() {
  if (existsSync(binary)) return;
  need('build the MongoDB-wire server', ['cargo', 'cc', 'cmake', 'ninja']);
  process.stderr.write(`No mongod on the PATH: building ${crate.name} ${crate.version}, once (3 to 10 minutes) ...\n`);
  const options = ['--version', crate.version, '--ignore-rust-version', '--locked', '--root', rootDir];
  await run(['cargo', 'install', crate.name, ...options], {
    logFile: join(rootDir, 'build.log'),
    limitMs: buildTimeoutMs,
  });
}

function int32(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}

/** Builds a message: header, no flags, and one body section with a document of the given elements. */
function message(elements) {
  const document = Buffer.concat([int32(elements.length + 5), elements, Buffer.from([0])]);
  const rest = Buffer.concat([int32(1), int32(0), int32(2013), int32(0), Buffer.from([0]), document]);
  return Buffer.concat([int32(rest.length + 4), rest]);
}
