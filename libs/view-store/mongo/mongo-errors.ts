// Translates MongoDB's errors into the port's.
import { types } from 'node:util';
import {
  MongoBulkWriteError,
  MongoClientClosedError,
  MongoError,
  MongoInvalidArgumentError,
  MongoServerError,
  MongoTopologyClosedError,
} from 'mongodb';
import { PortError } from '../../domain/port-error.ts';

/** MaxTimeMSExpired */
const outOfTimeCode = 50;
const duplicateKeyCode = 11000;
/**
 * Codes of requests that can never succeed: a fault of this program. Servers, proxies and hosted services have many
 * more codes for temporary trouble and add some with each version, and none of these may end a projection. From
 * https://www.mongodb.com/docs/manual/reference/error-codes/
 */
const faultCodes: ReadonlySet<number> = new Set([
  2, // BadValue
  9, // FailedToParse
  14, // TypeMismatch
  40, // ConflictingUpdateOperators
  52, // DollarPrefixedFieldName
  56, // EmptyFieldName
  57, // DottedFieldName
  59, // CommandNotFound
  66, // ImmutableField
  67, // CannotCreateIndex
  72, // InvalidOptions
  73, // InvalidNamespace
  85, // IndexOptionsConflict
  86, // IndexKeySpecsConflict
  duplicateKeyCode,
  40324, // unknown stage
  40415, // unknown field
]);
const tooLargeCodes: ReadonlySet<number> = new Set([10334, 17280, 17419, 17420]);
/** Matches the server's message, since the driver does not report which index it was. */
const idDuplicate = /duplicate key error collection: \S+ index: _id_/;

const isIdDuplicate = ({ code, errmsg }: { readonly code: number; readonly errmsg?: string | undefined }): boolean =>
  code === duplicateKeyCode && idDuplicate.test(errmsg ?? '');

/** The driver also wraps its own errors as errors of a bulk, without code, label or cause. */
const codesOf = (error: MongoError): readonly (number | undefined)[] => {
  if (!(error instanceof MongoBulkWriteError)) return [numberOf(error.code)];
  const others = [error.writeErrors].flat().filter((failure) => !isIdDuplicate(failure));
  return others.length > 0 ? others.map(({ code }) => code) : [numberOf(error.code)];
};

const numberOf = (code: unknown): number | undefined => (code === undefined ? undefined : Number(code));

const isProgramFault = (error: MongoError): boolean =>
  error instanceof MongoInvalidArgumentError ||
  (error instanceof MongoServerError &&
    !hasWriteConcernError(error) &&
    codesOf(error).some((code) => code !== undefined && faultCodes.has(code)));

const hasWriteConcernError = (error: MongoError): boolean =>
  error instanceof MongoBulkWriteError && error.result.getWriteConcernError() !== undefined;

/** Whether a look-up failed: the driver resolves a `mongodb+srv://` URL itself, and passes on the error. */
const isLookupFailure = (error: unknown): error is Error =>
  error instanceof Error && 'syscall' in error && /^query(Srv|Txt)$/.test(String(error.syscall));

/**
 * A write to a connection that broke a moment ago fails with Node's error, which the driver passes on: EPIPE comes
 * without a system call where the server has ended the connection.
 */
const isConnectionFailure = (error: unknown): error is Error =>
  types.isNativeError(error) &&
  ('syscall' in error || ('code' in error && /^(E[A-Z]+$|ERR_(STREAM|SOCKET|SSL)_)/.test(String(error.code))));

const deniedCodes: ReadonlySet<number | undefined> = new Set([
  13, // Unauthorized
  18, // AuthenticationFailed
]);

/** Returns MongoDB's errors in `database` as PortErrors, and any other error, such as a broken invariant, unchanged. */
export function fromMongo(error: unknown, database: string): unknown {
  if (isLookupFailure(error))
    return unavailableError(error, database, 'See that the name in MONGODB_URL can be resolved.');
  if (isConnectionFailure(error)) return unavailableError(error, database, 'See that MONGODB_URL answers.');
  if (!(error instanceof MongoError)) return error;
  if (error instanceof MongoClientClosedError || error instanceof MongoTopologyClosedError) {
    return new PortError('closed', `The views in MongoDB (${database}) are closed`, error);
  }
  if (codesOf(error).some((code) => code !== undefined && tooLargeCodes.has(code))) {
    return new PortError('too_large', `A document of the views in MongoDB (${database}) is too large`, error);
  }
  if (isProgramFault(error)) return error;
  if (codesOf(error).some((code) => deniedCodes.has(code)))
    return unavailableError(error, database, 'Give MONGODB_URL a user who may read and write that database.');
  return unavailableError(error, database, 'See that MONGODB_URL answers.');
}

function unavailableError(error: Error, database: string, advice: string): PortError {
  // The driver's error of a bulk can lack a message, whatever its type says.
  const detail = `${error.message}`.replace(/\.$/, '');
  return new PortError(
    'unavailable',
    `The views in MongoDB (${database}) cannot be used now (${detail}). ${advice}`,
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

/** Whether an insert failed because its id exists already. */
export const isDuplicateId = (error: unknown): boolean =>
  error instanceof MongoServerError && isIdDuplicate({ code: Number(error.code), errmsg: error.message });

/** Whether the server aborted a call at its `maxTimeMS`. */
export const isOutOfTime = (error: unknown): boolean =>
  error instanceof MongoServerError && Number(error.code) === outOfTimeCode;

/**
 * Returns the indexes of a bulk's operations whose id existed already. Rethrows the error if anything else went wrong.
 */
export function duplicateIds(error: unknown): readonly number[] {
  if (!(error instanceof MongoBulkWriteError) || hasWriteConcernError(error)) throw error;
  const failures = [error.writeErrors].flat();
  if (failures.length === 0 || !failures.every(isIdDuplicate)) throw error;
  return failures.map(({ index }) => index);
}
