// `/v1/history/{checkpoints,proof,consistency}`: the checkpoints that sign history, and proofs for it.
import { Controller, Get, Inject, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Millis } from '../../../../../domain/message.ts';
import type { Caller } from '../../../control/api-keys.ts';
import { selectFields } from '../../../http/answer-envelope.ts';
import type { RecordAnswer } from '../../../http/answer-envelope.ts';
import { ApiKeyGuard, CalledBy } from '../../../http/api-key.guard.ts';
import { ApiProblem, invalidRequest, notFound } from '../../../http/api-problem.ts';
import { problemsOf } from '../../../http/input/field-problem.ts';
import { Input } from '../../../http/input/input.ts';
import { ApiReads } from '../../../openapi/operation.ts';
import type { SignedCheckpoint } from '../signed/checkpoints.ts';
import { SignedHistory } from '../signed/signed-history.ts';
import { checkpointId, readCheckpointId } from './checkpoint-id.ts';
import { findCheckpoint, findCoveringCheckpoint } from './find-checkpoint.ts';
import { findRecord, recordsSearchedMax } from './find-record.ts';
import { listCheckpoints } from './list-checkpoints.ts';
import { proveExtension } from './prove-extension.ts';
import { proveRecord } from './prove-record.ts';
import {
  CheckpointPage,
  CheckpointsDto,
  ConsistencyDto,
  ConsistencyProofRecord,
  presentCheckpoint,
  ProofDto,
  RecordProofRecord,
} from './proofs.dto.ts';
import type { CheckpointRecord } from './proofs.dto.ts';

@ApiTags('history')
@UseGuards(ApiKeyGuard)
@Controller('v1/history')
export class ProofsController {
  readonly #history: SignedHistory;

  constructor(@Inject(SignedHistory) history: SignedHistory) {
    this.#history = history;
  }

  @Get('checkpoints')
  @ApiReads({
    summary: 'The signed checkpoints of history, oldest first',
    description:
      'They are of the whole service and hold no record. A page may be short and still have an `end_cursor`.',
    input: CheckpointsDto,
    record: CheckpointPage,
    shape: 'bare',
  })
  listCheckpoints(@CalledBy() caller: Caller, @Input(CheckpointsDto) input: CheckpointsDto): Promise<CheckpointPage> {
    return this.#history.inTurn(caller.workspace, () => listCheckpoints(this.#history.log, input));
  }

  @Get('proof')
  @ApiReads({
    summary: 'Proves that a record of the workspace is in signed history',
    description: '409 `not_signed`: no checkpoint has come since; one comes within a minute.',
    input: ProofDto,
    record: RecordProofRecord,
  })
  async proveRecord(
    @CalledBy() caller: Caller,
    @Input(ProofDto) input: ProofDto,
  ): Promise<RecordAnswer<RecordProofRecord>> {
    const data = await this.#history.inTurn(caller.workspace, () => this.#findProof(caller, input));
    return { data: selectFields(data, input) };
  }

  async #findProof({ workspace }: Caller, { id, topic, time }: ProofDto): Promise<RecordProofRecord> {
    const { log } = this.#history;
    const found = await findRecord(log, { id, workspace, topic: topic ?? undefined, time: time ?? undefined });
    if (found === undefined) throw recordNotFound(time ?? undefined);
    const signed = await findCoveringCheckpoint(log, found);
    if (signed === 'unsigned')
      throw new ApiProblem(409, 'not_signed', 'The record is not signed yet: ask again in a minute.');
    if (signed === 'far')
      throw new ApiProblem(503, 'unavailable', 'The checkpoint of the record was not found in time.');
    const proof = await proveRecord(log, signed.data, found.record.offset);
    if (proof === undefined) throw notProvable(signed);
    return { id, ...proof, checkpoint: presentSigned(signed) };
  }

  @Get('consistency')
  @ApiReads({
    summary: 'Proves that one checkpoint extends another: that nothing before it was rewritten',
    description: '400 with `details.nearest` when too many checkpoints lie between: prove the way in parts.',
    input: ConsistencyDto,
    record: ConsistencyProofRecord,
  })
  async proveConsistency(
    @CalledBy() caller: Caller,
    @Input(ConsistencyDto) input: ConsistencyDto,
  ): Promise<RecordAnswer<ConsistencyProofRecord>> {
    const data = await this.#history.inTurn(caller.workspace, () => this.#proveExtension(input));
    return { data: selectFields(data, input) };
  }

  async #proveExtension(input: ConsistencyDto): Promise<ConsistencyProofRecord> {
    const [from, to] = [await this.#findNamed(input.from), await this.#findNamed(input.to)];
    if (from.data.topic !== to.data.topic || from.data.partition !== to.data.partition)
      throw problemsOf([{ field: 'to', message: '`from` and `to` must be of the same partition of the same topic' }]);
    if (from.offset > to.offset)
      throw problemsOf([{ field: 'from', message: '`from` must be the earlier checkpoint' }]);
    const proof = await proveExtension(this.#history.log, from, to);
    if (proof.kind === 'gone') throw notProvable(to);
    if (proof.kind === 'far') {
      const nearest = proof.nearest === undefined ? null : checkpointId(proof.nearest.checkpoint);
      throw invalidRequest('Too many checkpoints lie between: prove the way in parts, from `details.nearest` on.', {
        nearest,
      });
    }
    return { from: presentSigned(from), to: presentSigned(to), path: proof.path };
  }

  async #findNamed(id: string): Promise<SignedCheckpoint> {
    const key = readCheckpointId(id);
    const found = key === undefined ? undefined : await findCheckpoint(this.#history.log, key);
    if (found === undefined) throw notFound({ record: 'checkpoint' });
    return found;
  }
}

const presentSigned = ({ checkpoint, data }: SignedCheckpoint): CheckpointRecord => presentCheckpoint(checkpoint, data);

/** Without a time, the record can be further back than was searched. */
const recordNotFound = (time: Millis | undefined): ApiProblem =>
  time === undefined
    ? new ApiProblem(
        404,
        'not_found',
        `The record is not among the newest ${recordsSearchedMax.toLocaleString('en')} of each partition: give its \`time\`, too, and its \`topic\` if you know it.`,
      )
    : notFound();

/** The record was removed by retention meanwhile, or tampered with: an export shows which. */
const notProvable = ({ checkpoint }: SignedCheckpoint): ApiProblem =>
  new ApiProblem(
    409,
    'not_provable',
    'The log does not hold all records that the checkpoint signs: export history and verify it.',
    { details: { checkpoint: checkpointId(checkpoint) } },
  );
