// What errors of kafkajs mean to the log's users.
import { PortError } from '../../../domain/port-error.ts';

/** kafkajs wraps what the broker said, up to this deep. */
const causesMax = 6;

/** What a broker answers to a producer that another one with the same transactional id has followed, or that was too slow. */
const supersededTypes = new Set([
  'INVALID_PRODUCER_EPOCH',
  'INVALID_PRODUCER_ID_MAPPING',
  'INVALID_TXN_STATE',
  'UNKNOWN_PRODUCER_ID',
  'OUT_OF_ORDER_SEQUENCE_NUMBER',
]);

/** A partition has moved to another broker, or was just made, or its new leader is not there yet: ask again, with fresh metadata. */
const movedTypes = new Set([
  'NOT_LEADER_FOR_PARTITION',
  'LEADER_NOT_AVAILABLE',
  'REPLICA_NOT_AVAILABLE',
  'UNKNOWN_TOPIC_OR_PARTITION',
  'FENCED_LEADER_EPOCH',
  'UNKNOWN_LEADER_EPOCH',
  'OFFSET_NOT_AVAILABLE',
]);

interface BrokerError {
  readonly type: string;
  /** As the protocol says: another try may help. */
  readonly retriable?: boolean;
}

function brokerErrorOf(error: unknown): BrokerError | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < causesMax; depth++) {
    if ('type' in at && typeof at.type === 'string') return at as unknown as BrokerError;
    at = at.cause;
  }
  return undefined;
}

/** The broker's own word for the error, `OFFSET_OUT_OF_RANGE` and such; undefined when it said nothing. */
export const brokerErrorType = (error: unknown): string | undefined => brokerErrorOf(error)?.type;

/** Whether the producer's id is no longer its own. Only the mark tells whether a new owner is behind it. */
export const isSuperseded = (error: unknown): boolean => supersededTypes.has(brokerErrorType(error) ?? '');

export const isMoved = (error: unknown): boolean => movedTypes.has(brokerErrorType(error) ?? '');

/** The coordinator is still at the transaction before: it has the time that is needed, and is where it was. */
export const isBusy = (error: unknown): boolean => brokerErrorType(error) === 'CONCURRENT_TRANSACTIONS';

/** Whether asking again may help: a lost connection, or a broker's no that its protocol calls a passing one. */
export function mayPass(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const answered = brokerErrorOf(error);
  if (answered === undefined) return error.name.startsWith('KafkaJS') || 'code' in error;
  return answered.retriable === true || isBusy(error) || isMoved(error);
}

/** Nothing was done: try again. */
export function unavailable(what: string, cause: unknown): PortError {
  if (cause instanceof PortError) return cause;
  return new PortError('unavailable', `Kafka: ${what} failed: ${messageOf(cause)}`, cause);
}

/** It may have been done. */
export function unknownOutcome(what: string, cause: unknown): PortError {
  if (cause instanceof PortError) return cause;
  return new PortError('unknown_outcome', `Kafka: ${what} may or may not have happened: ${messageOf(cause)}`, cause);
}

function messageOf(error: unknown): string {
  const type = brokerErrorType(error);
  const message = error instanceof Error ? error.message : String(error);
  const address = error instanceof Error && 'broker' in error && error.broker ? ` (${String(error.broker)})` : '';
  return type === undefined ? `${message}${address}` : `${type}: ${message}`;
}
