// Reads and writes the snapshot file: a checksum and the blob, because V8 aborts the process on a damaged one.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { runtimeFile } from '../guest-output/component-error.ts';
import { ivm } from './isolated-vm.ts';
import type { ivmTypes } from './isolated-vm.ts';

export type Snapshot = ivmTypes.ExternalCopy<ArrayBuffer>;

const checksumBytes = 32;
const checksum = (blob: Uint8Array): Buffer => createHash('sha256').update(blob).digest();

export function makeSnapshotFile(bundle: string): Buffer {
  const blob = new Uint8Array(ivm.Isolate.createSnapshot([{ code: bundle, filename: runtimeFile }]).copy());
  return Buffer.concat([checksum(blob), blob]);
}

/** Undefined if the file is missing or damaged. */
export function readSnapshot(path: string): Snapshot | undefined {
  try {
    const file = readFileSync(path);
    const blob = file.subarray(checksumBytes);
    if (blob.length === 0 || !checksum(blob).equals(file.subarray(0, checksumBytes))) return undefined;
    return new ivm.ExternalCopy(new Uint8Array(blob).buffer);
  } catch {
    return undefined;
  }
}
