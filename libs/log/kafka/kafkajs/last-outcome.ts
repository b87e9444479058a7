// Asks the coordinator how the last transaction of a transactional id ended: DescribeTransactions, which kafkajs lacks.
import { brokerError } from './private-api.ts';
import type { Broker, Exchange } from './kafka-protocol.ts';

/** `open`: not ended yet. `none`: there was no transaction since the last take-over, or ever. */
export type Outcome = 'committed' | 'aborted' | 'open' | 'none';

export interface LastTransaction {
  readonly outcome: Outcome;
  /** The producer that now has the transactional id; -1 if the coordinator does not know the id. */
  readonly producerId: string;
  readonly producerEpoch: number;
}

/** A prepared outcome is already decided. */
const outcomes: Readonly<Record<string, Outcome>> = {
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
export function lastOutcome(coordinator: Broker, transactionalId: string): Promise<LastTransaction> {
  return coordinator.connectionPool.send(exchangeFor(transactionalId));
}

function exchangeFor(transactionalId: string): Exchange<LastTransaction> {
  return {
    request: {
      ...describeTransactions,
      encode: async () => {
        const buffer = encode(transactionalId);
        return { buf: buffer, buffer };
      },
    },
    response: { decode, parse: (last) => last },
  };
}

/**
 * Tags, which end the header; then a list of one id, and tags again. A length is encoded as one more than the count.
 */
function encode(transactionalId: string): Buffer {
  const id = Buffer.from(transactionalId, 'utf8');
  return Buffer.concat([noTags, unsigned(2), unsigned(id.length + 1), id, noTags]);
}

/** Between the state and the producer: the transaction's timeout, and its start. */
const timesBytes = 4 + 8;

/**
 * Reads the header's tags, the throttle time, and for the one id: error, id, state, times, producer. Ignores the rest.
 */
export function decode(answer: Buffer): LastTransaction {
  const at = { offset: 0 };
  const tags = readUnsigned(answer, at);
  at.offset += 4;
  const states = readUnsigned(answer, at) - 1;
  if (tags !== 0 || states !== 1) throw new Error('a broker answered DescribeTransactions in an unknown form');
  const error = answer.readInt16BE(at.offset);
  at.offset += 2;
  if (error === idNotFound) return { outcome: 'none', producerId: '-1', producerEpoch: -1 };
  if (error !== 0) throw brokerError(error);
  readString(answer, at);
  const outcome = outcomes[readString(answer, at)] ?? 'open';
  const producerAt = at.offset + timesBytes;
  return {
    outcome,
    producerId: String(answer.readBigInt64BE(producerAt)),
    producerEpoch: answer.readInt16BE(producerAt + 8),
  };
}

interface Reading {
  offset: number;
}

function readString(answer: Buffer, at: Reading): string {
  const length = readUnsigned(answer, at) - 1;
  const text = answer.toString('utf8', at.offset, at.offset + length);
  at.offset += length;
  return text;
}

/** Seven bits a byte, the lowest first. */
function readUnsigned(answer: Buffer, at: Reading): number {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = answer.readUInt8(at.offset++);
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
}

function unsigned(value: number): Buffer {
  const bytes: number[] = [];
  for (let left = value; ; left >>>= 7) {
    if (left < 0x80) return Buffer.from([...bytes, left]);
    bytes.push((left & 0x7f) | 0x80);
  }
}
