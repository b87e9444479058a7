// Runs the steps of deploy/kubernetes/README.md that make secrets, with a kubectl that keeps what it is given instead.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deployFile } from './files.ts';

/** Its arguments, which every process of the machine sees, and its input under the secret's name. */
const kubectl = '#!/bin/sh\necho "$@" >> "$KEPT/arguments"\ncat > "$KEPT/$4"\n';
/** As `openssl rand -hex 20` does, for machines without it. */
const random = 'crypto.randomBytes(Number(process.argv[2])).toString(process.argv[1].slice(1))';
const openssl = `#!/bin/sh\nexec '${process.execPath}' -p '${random}' -- "$2" "$3"\n`;

/** A text for each secret, and what stood among arguments under `arguments`. `typed` is what the person at the keyboard gives. */
export function secretsMade(typed: string): Readonly<Record<string, string>> {
  const blocks = [...deployFile('kubernetes/README.md').matchAll(/^```bash\n(.*?)^```$/gms)].map(([, block]) => block);
  const dir = mkdtempSync(join(tmpdir(), 'secrets-'));
  const kept = join(dir, 'kept');
  try {
    mkdirSync(kept);
    writeFileSync(join(dir, 'kubectl'), kubectl, { mode: 0o755 });
    writeFileSync(join(dir, 'openssl'), openssl, { mode: 0o755 });
    const env = { PATH: `${dir}:${process.env['PATH']}`, KEPT: kept };
    execFileSync('bash', ['--norc', '-euc', blocks.join('')], { input: `${typed}\n`, env });
    return Object.fromEntries(readdirSync(kept).map((name) => [name, readFileSync(join(kept, name), 'utf8')]));
  } finally {
    rmSync(dir, { recursive: true });
  }
}
