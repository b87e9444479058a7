// Writes documents into the views; a document that the store rejects is skipped instead of ending the projection.
import { PortError } from '../../../domain/port-error.ts';
import type { ViewBuild } from '../../../view-store/index.ts';
import type { Tolerate } from '../../loop/reading/alerting-reporter.ts';
import type { FoldWrite } from './fold.ts';

/** Throws PortError, except for a document that is too large. Repeating it after a failure is idempotent. */
export async function putUsable(
  build: Pick<ViewBuild, 'put'>,
  writes: readonly FoldWrite[],
  tolerate: Tolerate,
): Promise<void> {
  try {
    await build.put(writes.map(withoutRecord));
  } catch (error) {
    if (shouldRethrow(error)) throw error;
    for (const write of writes) await tolerate(write.record, () => putOne(build, write));
  }
}

async function putOne(build: Pick<ViewBuild, 'put'>, write: FoldWrite): Promise<void> {
  try {
    await build.put([withoutRecord(write)]);
  } catch (error) {
    if (shouldRethrow(error)) throw error;
    throw new Error('the views do not take the document', { cause: error });
  }
}

const withoutRecord = ({ record: _record, ...write }: FoldWrite) => write;

const shouldRethrow = (error: unknown): boolean => error instanceof PortError && error.code !== 'too_large';
