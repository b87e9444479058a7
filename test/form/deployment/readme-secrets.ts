// Runs the steps of deploy/kubernetes/README.md that make secrets, with a fake kubectl that records what it gets.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deployFile } from './files.ts';

/** Records its arguments, which every process on the machine can see, and its input, under the secret's name. */
const kubectl = '#!/bin/sh\necho "$@" >> "$KEPT/arguments"\ncat > "$KEPT/$4"\n';
/** A replacement for `openssl rand -hex 20` on machines without it. */
const random = 'crypto.randomBytes(Number(process.argv[2])).toString(process.argv[1].slice(1))';
const openssl = `#!/bin/sh\nexec '${process.execPath}' -p '${random}' -- "$2" "$3"\n`;

/** The text of each secret, and all arguments under `arguments`. `userInput`: what the user types. */
export function runSecretSteps(userInput: string): Readonly<Record<string, string>> {
  const blocks = [...deployFile('kubernetes/README.md').matchAll(/^```bash\n(.*?)^```$/gms)].map(([, block]) => block);
  const dir = mkdtempSync(join(tmpdir(), 'secrets-'));
  const recordDir = join(dir, 'kept');
  try {
    mkdirSync(recordDir);
    writeFileSync(join(dir, 'kubectl'), kubectl, { mode: 0o755 });
    writeFileSync(join(dir, 'openssl'), openssl, { mode: 0o755 });
    const env = { PATH: `${dir}:${process.env['PATH']}`, KEPT: recordDir };
    execFileSync('bash', ['--norc', '-euc', blocks.join('')], { input: `${userInput}\n`, env });
    return Object.fromEntries(
      readdirSync(recordDir).map((name) => [name, readFileSync(join(recordDir, name), 'utf8')]),
    );
  } finally {
    rmSync(dir, { recursive: true });
  }
}
