// Opens files by path, http(s) or data: URL, as a stream with metadata, for props that name a file.
import client from 'axios';
import type { AxiosResponse } from 'axios';
import mime from 'mime-types';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { ConfigurationError } from '../configuration-error.ts';
import { dataOf } from './data-url.ts';

export interface Metadata {
  /** In bytes. */
  readonly size?: number;
  readonly contentType?: string;
  readonly lastModified?: Date;
  readonly name?: string;
  readonly etag?: string;
}

export interface File {
  readonly stream: Readable;
  readonly metadata: Metadata;
}

const isRemote = (location: string): boolean => /^https?:\/\//i.test(location);

async function fetchFile(url: string): Promise<AxiosResponse<Readable>> {
  const response = await client.get<Readable>(url, { responseType: 'stream', validateStatus: () => true });
  if (response.status >= 200 && response.status < 300) return response;
  response.data.destroy();
  throw new Error(`The file at ${url} could not be fetched: ${response.status} ${response.statusText}`.trim());
}

/** Leaves out undefined fields. */
function metadata(fields: { readonly [Name in keyof Metadata]: Metadata[Name] | undefined }): Metadata {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The name from the server's header, or else the last part of the path. */
function nameOf(url: string, disposition: unknown): string | undefined {
  const header = typeof disposition === 'string' ? disposition : '';
  const [, encoded] = /filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header) ?? [];
  const [, quoted, bare] = /filename\s*=\s*(?:"([^"]*)"|([^;\s]+))/i.exec(header) ?? [];
  const last = encoded ?? new URL(url).pathname.split('/').pop() ?? '';
  try {
    return (encoded === undefined ? (quoted ?? bare) : undefined) ?? (decodeURIComponent(last) || undefined);
  } catch {
    return last;
  }
}

async function readAll(stream: Readable): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(Buffer.from(part as Uint8Array));
  return Buffer.concat(parts);
}

async function openRemote(url: string): Promise<File> {
  const { data, headers } = await fetchFile(url);
  const text = (name: string): string | undefined => (headers[name] === undefined ? undefined : String(headers[name]));
  const length = text('content-encoding') === undefined ? text('content-length') : undefined;
  // Uploads must know their length; if the server does not send it, the whole file is read first.
  const content = length === undefined ? await readAll(data) : undefined;
  const modified = new Date(text('last-modified') ?? NaN);
  return {
    stream: content === undefined ? data : Readable.from([content]),
    metadata: metadata({
      size: content?.length ?? Number(length),
      contentType: text('content-type'),
      lastModified: Number.isNaN(modified.getTime()) ? undefined : modified,
      name: nameOf(url, text('content-disposition')),
      etag: text('etag'),
    }),
  };
}

const typeByName = (name: string): string | undefined => mime.lookup(name) || undefined;

async function openLocal(path: string): Promise<File> {
  const stats = await stat(path).catch((cause: unknown) => {
    throw new ConfigurationError(
      `There is no file ${JSON.stringify(path)}: give an http(s) URL, a data: URL or the path of a file in /tmp (${String((cause as { code?: unknown }).code)})`,
    );
  });
  const name = basename(path);
  return {
    stream: createReadStream(path),
    metadata: metadata({
      size: stats.size,
      contentType: typeByName(name),
      lastModified: stats.mtime,
      name,
      etag: undefined,
    }),
  };
}

function openDataUrl(url: string): File | undefined {
  const data = dataOf(url);
  if (data === undefined) return undefined;
  const { bytes, contentType } = data;
  const extension = mime.extension(contentType);
  const name = extension ? `file.${extension}` : 'file';
  return { stream: Readable.from([bytes]), metadata: { size: bytes.length, contentType, name } };
}

/** @param pathOrUrl a path in /tmp, an http(s) URL or a `data:` URL */
export async function getFileStreamAndMetadata(pathOrUrl: string): Promise<File> {
  const location = String(pathOrUrl);
  return isRemote(location) ? openRemote(location) : (openDataUrl(location) ?? openLocal(location));
}

export async function getFileStream(pathOrUrl: string): Promise<Readable> {
  const location = String(pathOrUrl);
  return isRemote(location) ? (await fetchFile(location)).data : (await getFileStreamAndMetadata(location)).stream;
}
