// `/v1/sources/ID/run`, `/runs` and `/sample`: runs a source, and lists its runs.
import { Controller, Get, HttpCode, Inject, Param, Post, Res, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { jsonDepthMax } from '../../../../../domain/json.ts';
import { sizes } from '../../../../../domain/sizes.ts';
import type { RunView, SourceView } from '../../../../../domain/views/index.ts';
import type { Caller } from '../../../control/api-keys.ts';
import { ApiKeyGuard, CalledBy } from '../../../http/api-key.guard.ts';
import { notFound } from '../../../http/api-problem.ts';
import { selectFields } from '../../../http/answer-envelope.ts';
import type { PageAnswer, RecordAnswer } from '../../../http/answer-envelope.ts';
import { AnyRequestDto } from '../../../http/input/any-request.dto.ts';
import { Input } from '../../../http/input/input.ts';
import { dataValuesMax } from '../../../http/json/json-scan.ts';
import { ApiCalls, ApiLists, ApiReads, ApiRuns } from '../../../openapi/operation.ts';
import { GatewayParts } from '../../../parts/parts.ts';
import type { Parts } from '../../../parts/parts.ts';
import { checkId, findOwned } from '../../owned-documents.ts';
import { CallClient } from '../calls/call-client.ts';
import { emitSample } from '../calls/sample.ts';
import { requireComponent } from '../channel/code-or-channel.ts';
import { listRuns } from './list-runs.ts';
import { RunNowDto } from './run-now.dto.ts';
import { runNow } from './run-now.ts';
import { AcceptedRunRecord, RunRecord } from '../../../records/run-record.dto.ts';
import { presentRun } from '../../../records/run.presenter.ts';
import { RunsDto } from './runs.dto.ts';

/** A run accepts any event that a source can emit: the deepest one within the body, and as many values as published. */
const bodyJson = { levelsMax: jsonDepthMax + 1, valuesMax: dataValuesMax };

type RequiredParts = Parts<'views' | 'log' | 'watch' | 'replies' | 'limits' | 'ambient' | 'instanceId'>;

@ApiTags('sources')
@UseGuards(ApiKeyGuard)
@Controller('v1')
export class RunsController {
  readonly #parts: RequiredParts;
  readonly #calls: CallClient;

  constructor(@Inject(GatewayParts) parts: RequiredParts) {
    this.#parts = parts;
    this.#calls = new CallClient(parts);
  }

  @Post('sources/:id/run')
  @HttpCode(202)
  @ApiRuns({
    summary: 'Run a source now',
    bodyBytesMax: sizes.runBodyBytes,
    bodyJson,
    input: RunNowDto,
    accepted: AcceptedRunRecord,
    record: RunRecord,
  })
  async runNow(
    @CalledBy() caller: Caller,
    @Param('id') id: string,
    @Input(RunNowDto) input: RunNowDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RecordAnswer<AcceptedRunRecord | RunRecord>> {
    const source = await this.#findRunnable(caller, id);
    const runInput = { source, event: input.event ?? undefined, by: caller, waits: input.wait === 1 };
    const { runId, run } = await runNow(this.#parts, runInput, (leave) => reply.raw.once('close', leave));
    if (run === undefined) return { data: { id: runId } };
    reply.code(200);
    return { data: selectFields(presentRun(run), input) };
  }

  @Post('sources/:id/sample')
  @HttpCode(200)
  @ApiCalls({ summary: "Emit the component's sample", input: AnyRequestDto, record: RunRecord })
  async emitSample(
    @CalledBy() caller: Caller,
    @Param('id') id: string,
    @Input(AnyRequestDto) input: AnyRequestDto,
  ): Promise<RecordAnswer<RunRecord>> {
    const run = await emitSample(this.#calls, caller, await this.#findRunnable(caller, id));
    return { data: selectFields(presentRun(run), input) };
  }

  @Get('sources/:id/runs/:run')
  @ApiReads({ summary: 'Get a run that has ended', input: AnyRequestDto, record: RunRecord })
  async getRun(
    @CalledBy() caller: Caller,
    @Param('id') id: string,
    @Param('run') runId: string,
    @Input(AnyRequestDto) input: AnyRequestDto,
  ): Promise<RecordAnswer<RunRecord>> {
    checkId('dc', id);
    checkId('run', runId);
    const run = await findOwned<RunView>(this.#parts, caller, 'runs', runId);
    if (run?.sourceId !== id) throw notFound();
    return { data: selectFields(presentRun(run), input) };
  }

  @Get('sources/:id/runs')
  @ApiLists({
    summary: 'The runs of a source with their console and errors, newest first',
    input: RunsDto,
    record: RunRecord,
  })
  async listRuns(
    @CalledBy() caller: Caller,
    @Param('id') id: string,
    @Input(RunsDto) input: RunsDto,
  ): Promise<PageAnswer<RunRecord>> {
    return listRuns(this.#parts, caller, id, input);
  }

  /** Reads a source that can be run. */
  async #findRunnable(caller: Caller, id: string): Promise<SourceView> {
    checkId('dc', id);
    const source = await findOwned<SourceView>(this.#parts, caller, 'sources', id);
    if (source === undefined) throw notFound();
    return requireComponent(source);
  }
}
