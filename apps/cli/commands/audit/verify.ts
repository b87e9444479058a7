// `pd audit verify`: checks without a server whether an export of history is whole and unchanged.
import { createReadStream } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { readKeptCheckpoints, readKeys, verifyExport } from '../../../../libs/verifier/index.ts';
import type { SignedLine } from '../../../../libs/verifier/index.ts';
import type { AddCommand } from '../../session/command.ts';
import { exitCodes, usageFailure } from '../../failures/failure.ts';
import type { Failure } from '../../failures/failure.ts';
import type { Session } from '../../session/session.ts';
import { showReport } from './show-report.ts';

interface VerifyOptions {
  readonly key?: readonly string[];
  readonly keys?: string;
  readonly checkpoints?: string;
}

const description = `Verifies an export of history: that no record in it was changed, dropped, added or moved since it was signed.

It asks no server. Exits with 1 if anything is wrong, and names each record.
EXPORT is a file that \`pd history export\` wrote; - reads it from a pipe.`;

export const addVerify: AddCommand = (program, runner) => {
  program
    .command('verify <export>')
    .summary('verify an export of history, offline')
    .description(description)
    .option(
      '--key <public>',
      'a public key that you trust, in base64; may be repeated',
      (key: string, before: string[] = []) => [...before, key],
    )
    .option('--keys <file>', 'a file with public keys that you trust, as GET /v1/history/keys answers')
    .option('--checkpoints <file>', 'checkpoints that you kept: what a webhook on $audit received, or an older export')
    .action(runner.run(verify));
};

async function verify(session: Session, options: VerifyOptions, path: string): Promise<number> {
  const { out } = session;
  if (options.keys !== undefined && (await isSameFile(options.keys, path))) throw ownKeysFailure();
  const keys = [
    ...(options.key ?? []).flatMap((key) => parseKeys(key, '--key')),
    ...(await readKeysFile(options.keys)),
  ];
  const checkpoints = await readCheckpoints(options.checkpoints);
  const source = path === '-' ? session.io.stdin : createReadStream(path, { highWaterMark: chunkBytes });
  const report = await verifyExport(source as AsyncIterable<Buffer>, { keys, checkpoints }).catch((error: unknown) => {
    if (isSystemError(error)) throw usageFailure(`${path} cannot be read: ${error.message}`);
    throw error;
  });
  if (report.keys === 'export')
    out.warn(
      'no key was given: the export was only compared with the keys that it names itself. Give --key or --keys.',
    );
  out.printResult(report, () => showReport(report, out.style));
  return report.isWhole ? exitCodes.done : exitCodes.failed;
}

/** Missing files are reported later, when they are read. */
async function isSameFile(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([one, other].map((path) => realpath(path).catch(() => undefined)));
  return first !== undefined && first === second;
}

const ownKeysFailure = (): Failure =>
  usageFailure(
    '--keys names the export itself: whoever changed it could have changed its keys, too.',
    'Give keys that came another way, such as the answer of GET /v1/history/keys that you kept.',
  );

/** Larger than Node's default, because fewer reads are faster. */
const chunkBytes = 1024 * 1024;

const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && typeof (error as NodeJS.ErrnoException).code === 'string' && 'syscall' in error;

async function readKeysFile(path: string | undefined): Promise<readonly string[]> {
  return path === undefined ? [] : parseKeys(await readText(path), path);
}

async function readCheckpoints(path: string | undefined): Promise<readonly SignedLine[]> {
  if (path === undefined) return [];
  return parseOrFail(path, await readText(path), readKeptCheckpoints);
}

const parseKeys = (text: string, origin: string): readonly string[] => parseOrFail(origin, text, readKeys);

function parseOrFail<T>(origin: string, text: string, read: (text: string) => T): T {
  try {
    return read(text);
  } catch (error) {
    throw usageFailure(`${origin}: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw usageFailure(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
