// Node's stream/consumers: reads a stream, or any iterable, into one value.
import { Buffer } from '../encoding/buffer.ts';
import { Blob } from '../fetch/blob.ts';

type Source = AsyncIterable<unknown> | Iterable<unknown>;

const bytesOf = (part: unknown): Uint8Array =>
  part instanceof Uint8Array ? part : part instanceof ArrayBuffer ? new Uint8Array(part) : Buffer.from(String(part));

async function buffer(source: Source): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of source) parts.push(bytesOf(part));
  return Buffer.concat(parts);
}

const arrayBuffer = async (source: Source): Promise<ArrayBuffer> => new Uint8Array(await buffer(source)).buffer;
const text = async (source: Source): Promise<string> => (await buffer(source)).toString();

export const consumers = {
  arrayBuffer,
  blob: async (source: Source): Promise<Blob> => new Blob([await arrayBuffer(source)]),
  buffer,
  bytes: async (source: Source): Promise<Uint8Array> => new Uint8Array(await arrayBuffer(source)),
  json: async (source: Source): Promise<unknown> => JSON.parse(await text(source)) as unknown,
  text,
};
