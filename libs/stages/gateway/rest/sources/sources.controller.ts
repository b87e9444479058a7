// `/v1/sources`: deploys, lists, updates and deletes sources.
import { Controller, Delete, Get, HttpCode, Inject, Param, Post, Put, Res, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { sizes } from '../../../../domain/sizes.ts';
import type { ScheduleView, SourceView } from '../../../../domain/views/index.ts';
import type { Caller } from '../../control/api-keys.ts';
import { GatewayParts } from '../../parts/parts.ts';
import type { Parts } from '../../parts/parts.ts';
import { AnyRequestDto } from '../../http/input/any-request.dto.ts';
import { chosenFields } from '../../http/answer.ts';
import type { Many, One } from '../../http/answer.ts';
import { ApiCreates, ApiDeletes, ApiLists, ApiReads, ApiUpdates } from '../../openapi/operation.ts';
import { ApiKeyGuard, CalledBy } from '../../http/api-key.guard.ts';
import { notFound } from '../../http/api-problem.ts';
import { IdempotencyKey } from '../../http/input/idempotency-key.ts';
import { Input } from '../../http/input/input.ts';
import { readOwned } from '../owned.ts';
import { askedSource } from './channel/asked-channel.ts';
import { deploySource } from './deploy-source.ts';
import { lastRunsOf } from './runs/last-runs.ts';
import { presentDeployed, presentSource } from './source.presenter.ts';
import type { Beside } from './source.presenter.ts';
import { readSourceCode } from './code/source-code.ts';
import { SourceCodeRecord } from './code/source-code.dto.ts';
import { DeployedSourceRecord, SourceRecord } from './source-record.dto.ts';
import { askedSettings } from './setting.ts';
import { DeploySourceDto, SourcesDto } from './sources.dto.ts';
import { searchSources } from './search/search-sources.ts';
import { DeleteSourceDto, UpdateSourceDto } from './update/update-source.dto.ts';
import { deleteSource, updateSource } from './update/update-source.ts';

type Needed = Parts<
  'secrets' | 'deleted' | 'views' | 'commands' | 'log' | 'ambient' | 'addresses' | 'limits' | 'watch'
>;

@ApiTags('sources')
@UseGuards(ApiKeyGuard)
@Controller('v1')
export class SourcesController {
  readonly #parts: Needed;

  constructor(@Inject(GatewayParts) parts: Needed) {
    this.#parts = parts;
  }

  @Post('sources')
  @HttpCode(200)
  @ApiCreates({
    summary: 'Deploy a source',
    bodyBytesMax: sizes.restBodyBytes,
    input: DeploySourceDto,
    record: DeployedSourceRecord,
    pending: 'Its hooks take longer than 30 s: the source, with `state: "deploying"`',
  })
  async deploySource(
    @CalledBy() caller: Caller,
    @IdempotencyKey() idempotencyKey: string | null,
    @Input(DeploySourceDto) input: DeploySourceDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<One<DeployedSourceRecord>> {
    const deploy = {
      asked: askedSource(input),
      name: input.name ?? null,
      configuredProps: input.configured_props ?? {},
      settings: askedSettings(input),
    };
    const source = await deploySource(this.#parts, caller, deploy, idempotencyKey);
    if (source.state === 'deploying') reply.code(202);
    return this.#presentDeployed(source, input);
  }

  @Get('sources')
  @ApiLists({ summary: 'List sources, newest first', input: SourcesDto, record: SourceRecord })
  async listSources(@CalledBy() caller: Caller, @Input(SourcesDto) input: SourcesDto): Promise<Many<SourceRecord>> {
    const { page_info, documents } = await searchSources(this.#parts, caller, input);
    const { addresses } = this.#parts;
    const beside = await this.#beside(documents.map(({ id }) => id));
    const data = documents.map(({ id, value }) =>
      chosenFields(presentSource(value as SourceView, addresses, beside(id)), input),
    );
    return { page_info, data };
  }

  @Get('users/me/sources')
  @ApiLists({ summary: 'As listSources', input: SourcesDto, record: SourceRecord })
  listMySources(@CalledBy() caller: Caller, @Input(SourcesDto) input: SourcesDto): Promise<Many<SourceRecord>> {
    return this.listSources(caller, input);
  }

  @Get('orgs/:workspace/sources')
  @ApiLists({ summary: 'List the sources of a workspace', input: SourcesDto, record: SourceRecord })
  async listOrgSources(
    @CalledBy() caller: Caller,
    @Param('workspace') workspace: string,
    @Input(SourcesDto) input: SourcesDto,
  ): Promise<Many<SourceRecord>> {
    if (workspace !== caller.workspace) throw notFound();
    return this.listSources(caller, input);
  }

  @Get('sources/:id')
  @ApiReads({
    summary: 'Get a source, also one whose first deploy was refused',
    input: AnyRequestDto,
    record: SourceRecord,
  })
  async getSource(
    @CalledBy() caller: Caller,
    @Param('id') id: string,
    @Input(AnyRequestDto) input: AnyRequestDto,
  ): Promise<One<SourceRecord>> {
    const source = await this.#find(caller, id);
    const beside = await this.#beside([id]);
    return { data: chosenFields(presentSource(source, this.#parts.addresses, beside(id)), input) };
  }

  @Get('sources/:id/code')
  @ApiReads({
    summary: 'Get the code of a source, saved as a component or not',
    input: AnyRequestDto,
    record: SourceCodeRecord,
  })
  async getSourceCode(
    @CalledBy() caller: Caller,
    @Param('id') id: string,
    @Input(AnyRequestDto) input: AnyRequestDto,
  ): Promise<One<SourceCodeRecord>> {
    const source = await this.#find(caller, id);
    return { data: chosenFields(await readSourceCode(this.#parts.log, source), input) };
  }

  @Put('sources/:id')
  @ApiUpdates({
    summary: 'Update a source: what is not given stays',
    bodyBytesMax: sizes.restBodyBytes,
    input: UpdateSourceDto,
    record: DeployedSourceRecord,
    pending: 'Its hooks take longer than 30 s: the source, with `state: "updating"`',
  })
  async updateSource(
    @CalledBy() caller: Caller,
    @Param('id') id: string,
    @Input(UpdateSourceDto) input: UpdateSourceDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<One<DeployedSourceRecord>> {
    const { source, isUnderWay } = await updateSource(this.#parts, caller, id, input);
    if (isUnderWay) reply.code(202);
    return this.#presentDeployed(source, input);
  }

  @Delete('sources/:id')
  @HttpCode(204)
  @ApiDeletes({
    summary: 'Delete a source and the subscriptions to it',
    input: DeleteSourceDto,
    record: SourceRecord,
    pending: 'Its hook `deactivate` takes longer than 30 s: the source, with `state: "deleting"`',
  })
  async deleteSource(
    @CalledBy() caller: Caller,
    @Param('id') id: string,
    @Input(DeleteSourceDto) input: DeleteSourceDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<One<SourceRecord> | undefined> {
    const source = await deleteSource(this.#parts, caller, id, input);
    if (source === undefined) return undefined;
    reply.code(202);
    const beside = await this.#beside([id]);
    return { data: presentSource(source, this.#parts.addresses, beside(id)) };
  }

  async #presentDeployed(source: SourceView, input: AnyRequestDto): Promise<One<DeployedSourceRecord>> {
    const { sourceId } = source;
    const beside = await this.#beside([sourceId]);
    return { data: chosenFields(presentDeployed(source, this.#parts.addresses, beside(sourceId)), input) };
  }

  async #beside(ids: readonly string[]): Promise<(id: string) => Beside> {
    const views = this.#parts.views();
    const [found, last] = await Promise.all([views.getMany('schedules', ids), lastRunsOf(views, ids)]);
    const schedules = new Map(found.map((one) => [one?.id, one?.value as ScheduleView | undefined]));
    return (id) => ({ schedule: schedules.get(id), last: last.get(id) });
  }

  #find(caller: Caller, id: string): Promise<SourceView> {
    return readOwned(this.#parts, caller, 'sources', id);
  }
}
