// Translates errors of kafkajs for the log's users.
import { PortError } from '../../../../domain/port-error.ts';

/** kafkajs wraps the broker's error, up to this deep. */
const causesMax = 6;

/** Answers to a producer that was followed by another with the same transactional id, or that was too slow. */
const supersededTypes = new Set([
  'INVALID_PRODUCER_EPOCH',
  'INVALID_PRODUCER_ID_MAPPING',
  'INVALID_TXN_STATE',
  'UNKNOWN_PRODUCER_ID',
  'OUT_OF_ORDER_SEQUENCE_NUMBER',
]);

/** The partition has moved to another broker, was just created, or has no leader yet: ask again with fresh metadata. */
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
  /** Whether a retry may help, as the protocol says. */
  readonly retriable?: boolean;
}

function brokerErrorOf(error: unknown): BrokerError | undefined {
  for (let current = error, depth = 0; current instanceof Error && depth < causesMax; depth++) {
    if ('type' in current && typeof current.type === 'string') return current as unknown as BrokerError;
    current = current.cause;
  }
  return undefined;
}

/** The broker's name for the error, such as `OFFSET_OUT_OF_RANGE`; undefined when no broker answered. */
export const brokerErrorType = (error: unknown): string | undefined => brokerErrorOf(error)?.type;

/** Whether the producer has lost its id. Only the mark tells whether a new owner has taken it. */
export const isSuperseded = (error: unknown): boolean => supersededTypes.has(brokerErrorType(error) ?? '');

export const hasLeaderMoved = (error: unknown): boolean => movedTypes.has(brokerErrorType(error) ?? '');

/** The coordinator is still ending the previous transaction: it needs time, and it has not moved. */
export const isCoordinatorBusy = (error: unknown): boolean => brokerErrorType(error) === 'CONCURRENT_TRANSACTIONS';

/** Whether a retry may help: after a lost connection, or a broker's error that the protocol calls temporary. */
export function canRetry(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const brokerError = brokerErrorOf(error);
  if (brokerError === undefined) return error.name.startsWith('KafkaJS') || 'code' in error;
  return brokerError.retriable === true || isCoordinatorBusy(error) || hasLeaderMoved(error);
}

/** Nothing was done: try again. */
export function unavailableError(what: string, cause: unknown): PortError {
  if (cause instanceof PortError) return cause;
  return new PortError('unavailable', `Kafka: ${what} failed: ${messageOf(cause)}`, cause);
}

/** It may have been done. */
export function unknownOutcomeError(what: string, cause: unknown): PortError {
  if (cause instanceof PortError) return cause;
  return new PortError('unknown_outcome', `Kafka: ${what} may or may not have happened: ${messageOf(cause)}`, cause);
}

function messageOf(error: unknown): string {
  const type = brokerErrorType(error);
  const message = error instanceof Error ? error.message : String(error);
  const address = error instanceof Error && 'broker' in error && error.broker ? ` (${String(error.broker)})` : '';
  return type === undefined ? `${message}${address}` : `${type}: ${message}`;
}
