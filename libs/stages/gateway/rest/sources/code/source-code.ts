// Reads the code of a source from the log: the views hold only its offset, so that it is not stored twice.
import { derivedId } from '../../../../../domain/id.ts';
import { partitionOf } from '../../../../../domain/flow.ts';
import { programOf } from '../../../../../domain/component/program/program.ts';
import type { Program } from '../../../../../domain/component/program/program.ts';
import type { SourceView } from '../../../../../domain/views/index.ts';
import { notFound, unavailable } from '../../../http/api-problem.ts';
import type { Parts } from '../../../parts/parts.ts';
import { presentProgram } from '../../code/program.presenter.ts';
import type { SourceCodeRecord } from './source-code.dto.ts';

const oneRecord = { recordsMax: 1, bytesMax: 1 };

/** Throws ApiProblem 404 for a channel, which has no code, and 503 if the record with the code cannot be used. */
export async function readSourceCode(log: Parts<'log'>['log'], source: SourceView): Promise<SourceCodeRecord> {
  const { sourceId, workspace, codeHash, kind } = source;
  if (kind === 'channel') throw notFound();
  const program = await programAt(log, source);
  const component_id = derivedId('sc', workspace, codeHash);
  return { id: sourceId, component_id, code_hash: codeHash, ...presentProgram(program) };
}

async function programAt(log: Parts<'log'>['log'], { sourceId, codeAt }: SourceView): Promise<Program> {
  const partition = partitionOf(sourceId, log.partitions);
  const { records } = await log.read('components', partition, codeAt, oneRecord);
  const record = records[0];
  const hasCode = record?.type === 'SourceDeploying' || record?.type === 'SourceUpdating';
  if (!hasCode || record.offset !== codeAt || record.data.sourceId !== sourceId || record.data.code === undefined)
    throw unavailable(`The code of ${sourceId} cannot be read from the log.`);
  return programOf({ ...record.data, code: record.data.code });
}
