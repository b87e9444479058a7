// Reads the files that auditors keep with exports: public keys, and earlier checkpoints.
import type { Signature } from './checkpoint.ts';
import type { SignedLine } from './export/file/format.ts';
import { publicKeyOf } from './checkpoint.ts';
import { type Fields, isObject } from './fields.ts';

/** Nothing that the service sends is nested deeper. */
const depthMax = 12;

/**
 * Reads the response of `GET /v1/history/keys`, or one key per line. Throws if there is none, or if one cannot be read.
 */
export function readKeys(text: string): readonly string[] {
  const fromJson = documentsOf(text).flatMap((value) => [...objectsIn(value)].flatMap(keyIn));
  const keys = fromJson.length > 0 ? fromJson : text.split(/\s+/).filter((word) => word !== '');
  if (keys.length === 0) throw new Error('there is no public key in it');
  for (const key of keys)
    if (publicKeyOf(key) === undefined) throw new Error('a key in it is no Ed25519 public key in base64');
  return keys;
}

function keyIn({ public_key: fromApi, publicKey: fromExport }: Fields): readonly string[] {
  const key = fromApi ?? fromExport;
  return typeof key === 'string' ? [key] : [];
}

/**
 * Finds checkpoints anywhere in a text: API responses, an export, or bodies that a webhook received, one document or
 * one per line. Throws if there is none.
 */
export function readKeptCheckpoints(text: string): readonly SignedLine[] {
  const found = documentsOf(text).flatMap((value) => [...objectsIn(value)].flatMap(checkpointIn));
  if (found.length === 0) throw new Error('there is no checkpoint in it');
  return found;
}

function checkpointIn(fields: Fields): readonly SignedLine[] {
  const line = fields.line ?? fields.checkpoint;
  if (typeof line !== 'string' || !Array.isArray(fields.signatures)) return [];
  return [{ line, signatures: fields.signatures.flatMap(signatureIn) }];
}

function signatureIn(value: unknown): readonly Signature[] {
  if (!isObject(value)) return [];
  const keyId = value.key_id ?? value.keyId;
  const { signature } = value;
  return typeof keyId === 'string' && typeof signature === 'string' ? [{ keyId, signature }] : [];
}

/** Parses one document, or one per line; skips lines that are not JSON. */
function documentsOf(text: string): readonly unknown[] {
  const document = tryParse(text);
  if (document !== undefined) return [document];
  return text.split('\n').flatMap((line) => {
    const value = tryParse(line);
    return value === undefined ? [] : [value];
  });
}

function tryParse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

function* objectsIn(value: unknown, depth = 0): Generator<Fields> {
  if (typeof value !== 'object' || value === null || depth > depthMax) return;
  if (isObject(value)) yield value;
  for (const inner of Object.values(value)) yield* objectsIn(inner, depth + 1);
}
