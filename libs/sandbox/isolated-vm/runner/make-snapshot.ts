// The script of a separate process: makes a snapshot of the guest bundle (first argument) and writes it to the second.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { makeSnapshotFile } from './isolate/snapshot.ts';

const [bundlePath = '', snapshotPath = ''] = process.argv.slice(2);
const temporaryPath = `${snapshotPath}.${process.pid}`;
writeFileSync(temporaryPath, makeSnapshotFile(readFileSync(bundlePath, 'utf8')), { mode: 0o600 });
renameSync(temporaryPath, snapshotPath);
