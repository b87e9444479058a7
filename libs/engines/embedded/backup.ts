// Backs up the embedded product's log, from which a start rebuilds everything else.
import { setPriority } from 'node:os';
import { join, resolve } from 'node:path';
import { backUp } from '../../log/sqlite/backup.ts';
import { openOutputs } from '../output/outputs.ts';
import { embedded, logFile } from './embedded.engine.ts';

/** The process priority: a running service has precedence. */
const niceness = 10;
const MiB = 1024 * 1024;

/**
 * Prints the result and ends the process, with exit code 1 on failure. `targetFile`: as the user names it.
 */
export async function backup(targetFile: string | undefined): Promise<void> {
  const outputs = openOutputs();
  try {
    outputs.stdout.write(writeBackup(targetFile));
  } catch (error) {
    outputs.stderr.write(`Nothing was backed up: ${(error as Error).message}\n`);
    process.exitCode = 1;
  }
  await outputs.flush();
  process.exit();
}

function writeBackup(targetFile: string | undefined): string {
  if (targetFile === undefined) throw new Error('name the file to write: npm run backup -- FILE');
  const config = embedded.readConfig();
  const path = resolve(targetFile);
  setPriority(niceness);
  const startedAt = performance.now();
  const bytes = backUp(logFile(config), path);
  const seconds = (performance.now() - startedAt) / 1_000;
  const key = config.masterKey === undefined ? `the file ${join(config.dataDir, 'master-key')}` : 'MASTER_KEY';
  return (
    `Backed up to ${path}: ${(bytes / MiB).toFixed(1)} MiB in ${seconds.toFixed(1)} s\n` +
    `Keep a copy of ${key} elsewhere: without it, nobody can open the secrets in this backup.\n`
  );
}
