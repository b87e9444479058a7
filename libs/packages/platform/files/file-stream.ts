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

const isRemote = (place: string): boolean => /^https?:\/\//i.test(place);

async function responseTo(url: string): Promise<AxiosResponse<Readable>> {
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
  const given = typeof disposition === 'string' ? disposition : '';
  const [, encoded] = /filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(given) ?? [];
  const [, quoted, bare] = /filename\s*=\s*(?:"([^"]*)"|([^;\s]+))/i.exec(given) ?? [];
  const last = encoded ?? new URL(url).pathname.split('/').pop() ?? '';
  try {
    return (encoded === undefined ? (quoted ?? bare) : undefined) ?? (decodeURIComponent(last) || undefined);
  } catch {
    return last;
  }
}

async function bytesOf(stream: Readable): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(Buffer.from(part as Uint8Array));
  return Buffer.concat(parts);
}

async function remote(url: string): Promise<File> {
  const { data, headers } = await responseTo(url);
  const text = (name: string): string | undefined => (headers[name] === undefined ? undefined : String(headers[name]));
  const length = text('content-encoding') === undefined ? text('content-length') : undefined;
  // Uploads must know their length; if the server does not send it, the whole file is read first.
  const whole = length === undefined ? await bytesOf(data) : undefined;
  const changed = new Date(text('last-modified') ?? NaN);
  return {
    stream: whole === undefined ? data : Readable.from([whole]),
    metadata: metadata({
      size: whole?.length ?? Number(length),
      contentType: text('content-type'),
      lastModified: Number.isNaN(changed.getTime()) ? undefined : changed,
      name: nameOf(url, text('content-disposition')),
      etag: text('etag'),
    }),
  };
}

const typeByName = (name: string): string | undefined => mime.lookup(name) || undefined;

async function local(path: string): Promise<File> {
  const found = await stat(path).catch((cause: unknown) => {
    throw new ConfigurationError(
      `There is no file ${JSON.stringify(path)}: give an http(s) URL, a data: URL or the path of a file in /tmp (${String((cause as { code?: unknown }).code)})`,
    );
  });
  const name = basename(path);
  return {
    stream: createReadStream(path),
    metadata: metadata({
      size: found.size,
      contentType: typeByName(name),
      lastModified: found.mtime,
      name,
      etag: undefined,
    }),
  };
}

function inline(url: string): File | undefined {
  const data = dataOf(url);
  if (data === undefined) return undefined;
  const { bytes, contentType } = data;
  const extension = mime.extension(contentType);
  const name = extension ? `file.${extension}` : 'file';
  return { stream: Readable.from([bytes]), metadata: { size: bytes.length, contentType, name } };
}

/** @param pathOrUrl a path in /tmp, an http(s) URL or a `data:` URL */
export async function getFileStreamAndMetadata(pathOrUrl: string): Promise<File> {
  const place = String(pathOrUrl);
  return isRemote(place) ? remote(place) : (inline(place) ?? local(place));
}

export async function getFileStream(pathOrUrl: string): Promise<Readable> {
  const place = String(pathOrUrl);
  return isRemote(place) ? (await responseTo(place)).data : (await getFileStreamAndMetadata(place)).stream;
}
