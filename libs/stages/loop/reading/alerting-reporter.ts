// Reports records that cannot be used: an alert for each topic, and a line in the process log for each record.
import type { Logger } from 'pino';
import type { StoredRecord } from '../../../domain/message.ts';
import { PortError } from '../../../domain/port-error.ts';
import { WrongMasterKeyError } from '../../../domain/workspace/keyring.ts';
import type { Alerts } from '../alerts/alerts.ts';
import { Warnings } from '../reporting/warnings.ts';
import { NewerRecordError } from './unusable.ts';
import type { MalformedRecord, TroubleReporter } from './unusable.ts';

/** The fields of a record that a report names. */
type RecordOrigin = Pick<StoredRecord, 'topic' | 'partition' | 'offset' | 'type'>;

/**
 * The backstop after the checks: one record must not stop the stage. When `work` throws or rejects, the record counts
 * as malformed and the result is undefined. A failure at a port is rethrown.
 */
export type Tolerate = <T>(record: RecordOrigin, work: () => T) => T | undefined;

export class AlertingReporter implements TroubleReporter {
  readonly #alerts: Pick<Alerts, 'raise'>;
  readonly #warnings: Warnings;

  constructor(alerts: Pick<Alerts, 'raise'>, logger: Pick<Logger, 'warn'>) {
    this.#alerts = alerts;
    this.#warnings = new Warnings(logger);
  }

  reportMalformed({ topic, partition, offset, problem }: MalformedRecord): void {
    this.#warnings.warn({ topic, partition, offset, problem }, 'passed over a malformed record');
    this.#alerts.raise(
      'malformed_record',
      topic,
      `A record on ${topic} cannot be used and was passed over: ${problem}. Find out which other program writes there.`,
    );
  }

  reportNewer({ topic, partition, message }: NewerRecordError): void {
    this.#warnings.warn({ topic, partition }, message);
    this.#alerts.raise('newer_record', topic, `${message}.`);
  }

  /** An arrow function, so that it can be passed without its object. */
  readonly tolerate: Tolerate = (record, work) => {
    try {
      const result = work();
      return result instanceof Promise
        ? (result.catch((error: unknown) => this.#reportFailure(record, error)) as typeof result)
        : result;
    } catch (error) {
      return this.#reportFailure(record, error);
    }
  };

  #reportFailure({ topic, partition, offset, type }: RecordOrigin, error: unknown): undefined {
    if (mustReachLoop(error)) throw error;
    // Only the error's name and frames: its message might quote the record.
    const { name, stack = '' } = error instanceof Error ? error : new Error('not an error');
    const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
    this.#warnings.warn(
      { topic, partition, offset, type, error: name, frames: frames.slice(0, 5) },
      'failed at a record',
    );
    this.#alerts.raise(
      'malformed_record',
      topic,
      `A ${type} on ${topic} could not be taken in (${name}) and was passed over. Report it with the process log.`,
    );
  }
}

/** Whether the loop must handle the error, because its cause is not the record. */
const mustReachLoop = (error: unknown): boolean =>
  error instanceof PortError || error instanceof WrongMasterKeyError || error instanceof NewerRecordError;
