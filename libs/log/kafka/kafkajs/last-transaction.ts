// Asks the coordinator how the last transaction of a transactional id ended: DescribeTransactions, which kafkajs lacks.
import { brokerError } from './private-api.ts';
import type { Broker, Exchange } from './kafka-protocol.ts';

/** `open`: not ended yet. `none`: there was no transaction since the last take-over, or ever. */
export type TransactionOutcome = 'committed' | 'aborted' | 'open' | 'none';

export interface LastTransaction {
  readonly outcome: TransactionOutcome;
  /** The producer that now has the transactional id; -1 if the coordinator does not know the id. */
  readonly producerId: string;
  readonly producerEpoch: number;
}

/** A prepared outcome is already decided. */
const outcomes: Readonly<Record<string, TransactionOutcome>> = {
  Empty: 'none',
  Dead: 'none',
  PrepareCommit: 'committed',
  CompleteCommit: 'committed',
  PrepareAbort: 'aborted',
  PrepareEpochFence: 'aborted',
  CompleteAbort: 'aborted',
};
const describeTransactions = { apiKey: 65, apiVersion: 0, apiName: 'DescribeTransactions' } as const;
const idNotFound = 105;
const noTags = Buffer.of(0);

/** Brokers know this request since Kafka 3.0. Throws what kafkajs throws. */
export function describeLastTransaction(coordinator: Broker, transactionalId: string): Promise<LastTransaction> {
  return coordinator.connectionPool.send(exchangeFor(transactionalId));
}

function exchangeFor(transactionalId: string): Exchange<LastTransaction> {
  return {
    request: {
      ...describeTransactions,
      encode: async () => {
        const buffer = encodeRequest(transactionalId);
        return { buf: buffer, buffer };
      },
    },
    response: { decode: decodeResponse, parse: (last) => last },
  };
}

/**
 * Tags, which end the header; then a list of one id, and tags again. A length is encoded as one more than the count.
 */
function encodeRequest(transactionalId: string): Buffer {
  const id = Buffer.from(transactionalId, 'utf8');
  return Buffer.concat([noTags, encodeVarint(2), encodeVarint(id.length + 1), id, noTags]);
}

/** Between the state and the producer: the transaction's timeout, and its start. */
const timesBytes = 4 + 8;

/**
 * Reads the header's tags, the throttle time, and for the one id: error, id, state, times, producer. Ignores the rest.
 */
export function decodeResponse(answer: Buffer): LastTransaction {
  const cursor = { offset: 0 };
  const tags = readVarint(answer, cursor);
  cursor.offset += 4;
  const states = readVarint(answer, cursor) - 1;
  if (tags !== 0 || states !== 1) throw new Error('a broker answered DescribeTransactions in an unknown form');
  const error = answer.readInt16BE(cursor.offset);
  cursor.offset += 2;
  if (error === idNotFound) return { outcome: 'none', producerId: '-1', producerEpoch: -1 };
  if (error !== 0) throw brokerError(error);
  readString(answer, cursor);
  const outcome = outcomes[readString(answer, cursor)] ?? 'open';
  const producerAt = cursor.offset + timesBytes;
  return {
    outcome,
    producerId: String(answer.readBigInt64BE(producerAt)),
    producerEpoch: answer.readInt16BE(producerAt + 8),
  };
}

interface ReadCursor {
  offset: number;
}

function readString(answer: Buffer, cursor: ReadCursor): string {
  const length = readVarint(answer, cursor) - 1;
  const text = answer.toString('utf8', cursor.offset, cursor.offset + length);
  cursor.offset += length;
  return text;
}

/** Seven bits a byte, the lowest first. */
function readVarint(answer: Buffer, cursor: ReadCursor): number {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = answer.readUInt8(cursor.offset++);
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
}

function encodeVarint(value: number): Buffer {
  const bytes: number[] = [];
  for (let remaining = value; ; remaining >>>= 7) {
    if (remaining < 0x80) return Buffer.from([...bytes, remaining]);
    bytes.push((remaining & 0x7f) | 0x80);
  }
}
