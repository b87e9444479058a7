// MongoDB's errors as the port names them.
import {
  MongoBulkWriteError,
  MongoClientClosedError,
  MongoError,
  MongoNetworkError,
  MongoServerError,
  MongoSystemError,
  MongoTopologyClosedError,
  MongoWriteConcernError,
} from 'mongodb';
import { PortError } from '../../domain/port-error.ts';

/** Labels that the driver or the server sets where a retry may help. */
const passingLabels = ['RetryableWriteError', 'RetryableError', 'SystemOverloadedError', 'TransientTransactionError'];
/** MaxTimeMSExpired */
const outOfTimeCode = 50;
/** As named in https://www.mongodb.com/docs/manual/reference/error-codes/ */
const passingCodes: ReadonlySet<number> = new Set([
  6, // HostUnreachable
  7, // HostNotFound
  13, // Unauthorized: until somebody grants the user its rights
  18, // AuthenticationFailed
  24, // LockTimeout
  43, // CursorNotFound: the server has been away between two pages of an answer
  46, // LockBusy
  outOfTimeCode,
  63, // StaleShardVersion
  64, // WriteConcernFailed
  89, // NetworkTimeout
  91, // ShutdownInProgress
  100, // UnsatisfiableWriteConcern
  112, // WriteConflict
  117, // ConflictingOperationInProgress
  134, // ReadConcernMajorityNotAvailableYet
  189, // PrimarySteppedDown
  202, // NetworkInterfaceExceededTimeLimit
  237, // CursorKilled
  262, // ExceededTimeLimit
  276, // IndexBuildAborted
  317, // ConnectionPoolExpired
  10107, // NotWritablePrimary
  11600, // InterruptedAtShutdown
  11602, // InterruptedDueToReplStateChange
  13388, // StaleConfig
  13435, // NotPrimaryNoSecondaryOk
  13436, // NotPrimaryOrSecondary
  14031, // OutOfDiskSpace
]);
const tooLargeCodes: ReadonlySet<number> = new Set([10334, 17280, 17419, 17420]);
const duplicateKeyCode = 11000;
/** Matches the server's message, since the driver does not tell which index it was. */
const idDuplicate = /duplicate key error collection: \S+ index: _id_/;

const isIdDuplicate = ({ code, errmsg }: { readonly code: number; readonly errmsg?: string | undefined }): boolean =>
  code === duplicateKeyCode && idDuplicate.test(errmsg ?? '');

/** What the driver raises in place of an answer. */
const isUnanswered = (error: MongoError): boolean =>
  error instanceof MongoNetworkError ||
  error instanceof MongoSystemError ||
  error instanceof MongoWriteConcernError ||
  /^Mongo(WaitQueueTimeout|PoolClosed|ServerClosed)/.test(error.name);

/** The driver also reports its own errors as a bulk's error, without code, label or cause. */
const codesOf = (error: MongoError): readonly (number | undefined)[] => {
  if (!(error instanceof MongoBulkWriteError)) return [numberOf(error.code)];
  const others = [error.writeErrors].flat().filter((failure) => !isIdDuplicate(failure));
  return others.length > 0 ? others.map(({ code }) => code) : [numberOf(error.code)];
};

const numberOf = (code: unknown): number | undefined => (code === undefined ? undefined : Number(code));

function isPassing(error: MongoError): boolean {
  if (isUnanswered(error) || passingLabels.some((label) => error.hasErrorLabel(label))) return true;
  if (!(error instanceof MongoServerError)) return false;
  if (hasWriteConcernError(error)) return true;
  const isBulk = error instanceof MongoBulkWriteError;
  return codesOf(error).every((code) => (code === undefined ? isBulk : passingCodes.has(code)));
}

const hasWriteConcernError = (error: MongoError): boolean =>
  error instanceof MongoBulkWriteError && error.result.getWriteConcernError() !== undefined;

/** The driver looks up a `mongodb+srv://` URL itself, and passes on how that failed. */
const isUnresolved = (error: unknown): error is Error =>
  error instanceof Error && 'syscall' in error && /^query(Srv|Txt)$/.test(String(error.syscall));

const deniedCodes: ReadonlySet<number | undefined> = new Set([
  13, // Unauthorized
  18, // AuthenticationFailed
]);

/** MongoDB's errors in `database` as PortErrors; returns any other error, such as a broken invariant, unchanged. */
export function fromMongo(error: unknown, database: string): unknown {
  if (isUnresolved(error)) return unavailable(error, database, 'See that the name in MONGODB_URL can be resolved.');
  if (!(error instanceof MongoError)) return error;
  if (error instanceof MongoClientClosedError || error instanceof MongoTopologyClosedError) {
    return new PortError('closed', `The views in MongoDB (${database}) are closed`, error);
  }
  if (codesOf(error).some((code) => code !== undefined && tooLargeCodes.has(code))) {
    return new PortError('too_large', `A document of the views in MongoDB (${database}) is too large`, error);
  }
  if (!isPassing(error)) return error;
  if (codesOf(error).some((code) => deniedCodes.has(code)))
    return unavailable(error, database, 'Give MONGODB_URL a user who may read and write that database.');
  return unavailable(error, database, 'See that MONGODB_URL answers.');
}

function unavailable(error: Error, database: string, advice: string): PortError {
  // The driver's error of a bulk may have no message, whatever its type says.
  const why = `${error.message}`.replace(/\.$/, '');
  return new PortError(
    'unavailable',
    `The views in MongoDB (${database}) cannot be used now (${why}). ${advice}`,
    error,
  );
}

/** Awaits a step on MongoDB and translates its errors. */
export async function onMongo<Result>(database: string, step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    throw fromMongo(error, database);
  }
}

/** True for an insert under an id that exists already. */
export const isDuplicateId = (error: unknown): boolean =>
  error instanceof MongoServerError && isIdDuplicate({ code: Number(error.code), errmsg: error.message });

/** The server gave a call up at its `maxTimeMS`. */
export const isOutOfTime = (error: unknown): boolean =>
  error instanceof MongoServerError && Number(error.code) === outOfTimeCode;

/** The operations of a bulk whose id existed already. Throws the error when anything else went wrong. */
export function duplicateIds(error: unknown): readonly number[] {
  if (!(error instanceof MongoBulkWriteError) || hasWriteConcernError(error)) throw error;
  const failures = [error.writeErrors].flat();
  if (failures.length === 0 || !failures.every(isIdDuplicate)) throw error;
  return failures.map(({ index }) => index);
}
