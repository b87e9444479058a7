import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../support/processes/free-port.ts';
import { Product } from '../../support/product.ts';

const rootDir = fileURLToPath(new URL('../../..', import.meta.url));
/** The script takes seconds; if it hangs, it is ended before the time limit of the test. */
const scriptDeadlineMs = 60_000;

let product: Product;
let scratchDir: string;
beforeAll(async () => {
  scratchDir = await mkdtemp(join(tmpdir(), 'readme-'));
  product = await Product.start();
}, 60_000);
afterAll(async () => {
  await product.remove();
  await rm(scratchDir, { recursive: true });
});

/** Every bash block of the section, in order. */
async function readCodeBlocks(): Promise<string[]> {
  const readme = await readFile(join(rootDir, 'README.md'), 'utf8');
  const section = readme.split(/^## /m).find((part) => part.startsWith('The first signed delivery')) ?? '';
  return [...section.matchAll(/^```bash\n([^]*?)^```$/gm)].map(([, block]) => block ?? '');
}

async function runBash(script: string): Promise<{ code: number | null; output: string; errors: string }> {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: rootDir,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: scriptDeadlineMs,
    env: {
      PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
      TMPDIR: scratchDir,
      PORT: String(product.port),
      DATA_DIR: product.dataDir,
      RECEIVER_PORT: String(await freePort()),
    },
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  return { code, output, errors };
}

test('the commands of "The first signed delivery" in README.md lead to a verified delivery', async () => {
  const script = await readCodeBlocks();
  expect(script).toHaveLength(7);
  const { code, output, errors } = await runBash(script.join('\n'));
  expect({ code, errors }).toEqual({ code: 0, errors: expect.not.stringMatching(/error/i) });
  expect(output).toMatch(/^dc_\w{16} listens at http:\/\/127\.0\.0\.1:\d+\/e\//);
  expect(output).toMatch(/"webhook-signature":"v1,/);
  expect(output).toMatch(/attempt: 1,\s+outcome: 'delivered',\s+status: 200/);
  expect(output).toMatch(/verified: \{ greeting: 'Hello, world!' \}\n$/);
}, 90_000);
