// Serialises long answers in pieces: a hundred events of 512 KiB at once would block all others for a second.
import type { FastifyInstance } from 'fastify';
import { mapInTurns } from '../../../../primitives/event-loop/turn.ts';

/** Must be called before the routes are registered. Answers without a list are left to Fastify. */
export function serialiseListsInTurns(fastify: FastifyInstance): void {
  fastify.addHook('preSerialization', async (_request, reply, payload) => {
    const serialised = payload instanceof SerialisedList || !isList(payload) ? payload : await serialiseList(payload);
    if (!(serialised instanceof SerialisedList)) return payload;
    reply.serializer(passThrough);
    return serialised.bytes;
  });
}

/** The JSON text of a list. */
export class SerialisedList {
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}

const passThrough = (bytes: unknown): string => bytes as string;

export interface List {
  readonly data: readonly unknown[];
}

const isList = (payload: unknown): payload is List =>
  typeof payload === 'object' && payload !== null && 'data' in payload && Array.isArray(payload.data);

export const serialiseList = async (list: List): Promise<SerialisedList> => new SerialisedList(await listBytes(list));

/** The same text as that of `JSON.stringify`, in UTF-8. */
export async function listBytes({ data, ...others }: List): Promise<Buffer> {
  const items = await mapInTurns(data, (item, at) =>
    Buffer.from((at > 0 ? ',' : '') + (JSON.stringify(item) ?? 'null')),
  );
  const envelope = JSON.stringify(others).slice(0, -1);
  const begin = `${envelope}${envelope.length > 1 ? ',' : ''}"data":[`;
  return Buffer.concat([Buffer.from(begin), ...items, Buffer.from(']}')]);
}
