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
import { selectFields } from '../../http/answer-envelope.ts';
import type { PageAnswer, RecordAnswer } from '../../http/answer-envelope.ts';
import { ApiCreates, ApiDeletes, ApiLists, ApiReads, ApiUpdates } from '../../openapi/operation.ts';
import { ApiKeyGuard, CalledBy } from '../../http/api-key.guard.ts';
import { notFound } from '../../http/api-problem.ts';
import { IdempotencyKey } from '../../http/input/idempotency-key.ts';
import { Input } from '../../http/input/input.ts';
import { readOwned } from '../owned-documents.ts';
import { readCodeOrChannel } from './channel/code-or-channel.ts';
import { deploySource } from './deploy-source.ts';
import { lastRunsOf } from './runs/last-runs.ts';
import { presentDeployed, presentSource } from './source.presenter.ts';
import type { SourceExtras } from './source.presenter.ts';
import { readSourceCode } from './code/source-code.ts';
import { SourceCodeRecord } from './code/source-code.dto.ts';
import { DeployedSourceRecord, SourceRecord } from './source-record.dto.ts';
import { readSettings } from './source-settings.ts';
import { DeploySourceDto, SourcesDto } from './sources.dto.ts';
import { searchSources } from './search/search-sources.ts';
import { DeleteSourceDto, UpdateSourceDto } from './update/update-source.dto.ts';
import { deleteSource, updateSource } from './update/update-source.ts';

type RequiredParts = Parts<
  'secrets' | 'deleted' | 'views' | 'commands' | 'log' | 'ambient' | 'addresses' | 'limits' | 'watch'
>;

@ApiTags('sources')
@UseGuards(ApiKeyGuard)
@Controller('v1')
export class SourcesController {
  readonly #parts: RequiredParts;

  constructor(@Inject(GatewayParts) parts: RequiredParts) {
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
  ): Promise<RecordAnswer<DeployedSourceRecord>> {
    const deploy = {
      reference: readCodeOrChannel(input),
      name: input.name ?? null,
      configuredProps: input.configured_props ?? {},
      settings: readSettings(input),
    };
    const source = await deploySource(this.#parts, caller, deploy, idempotencyKey);
    if (source.state === 'deploying') reply.code(202);
    return this.#presentDeployed(source, input);
  }

  @Get('sources')
  @ApiLists({ summary: 'List sources, newest first', input: SourcesDto, record: SourceRecord })
  async listSources(
    @CalledBy() caller: Caller,
    @Input(SourcesDto) input: SourcesDto,
  ): Promise<PageAnswer<SourceRecord>> {
    const { page_info, documents } = await searchSources(this.#parts, caller, input);
    const { addresses } = this.#parts;
    const extrasOf = await this.#readExtras(documents.map(({ id }) => id));
    const data = documents.map(({ id, value }) =>
      selectFields(presentSource(value as SourceView, addresses, extrasOf(id)), input),
    );
    return { page_info, data };
  }

  @Get('users/me/sources')
  @ApiLists({ summary: 'As listSources', input: SourcesDto, record: SourceRecord })
  listMySources(@CalledBy() caller: Caller, @Input(SourcesDto) input: SourcesDto): Promise<PageAnswer<SourceRecord>> {
    return this.listSources(caller, input);
  }

  @Get('orgs/:workspace/sources')
  @ApiLists({ summary: 'List the sources of a workspace', input: SourcesDto, record: SourceRecord })
  async listOrgSources(
    @CalledBy() caller: Caller,
    @Param('workspace') workspace: string,
    @Input(SourcesDto) input: SourcesDto,
  ): Promise<PageAnswer<SourceRecord>> {
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
  ): Promise<RecordAnswer<SourceRecord>> {
    const source = await this.#find(caller, id);
    const extrasOf = await this.#readExtras([id]);
    return { data: selectFields(presentSource(source, this.#parts.addresses, extrasOf(id)), input) };
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
  ): Promise<RecordAnswer<SourceCodeRecord>> {
    const source = await this.#find(caller, id);
    return { data: selectFields(await readSourceCode(this.#parts.log, source), input) };
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
  ): Promise<RecordAnswer<DeployedSourceRecord>> {
    const { source, isInProgress } = await updateSource(this.#parts, caller, id, input);
    if (isInProgress) reply.code(202);
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
  ): Promise<RecordAnswer<SourceRecord> | undefined> {
    const source = await deleteSource(this.#parts, caller, id, input);
    if (source === undefined) return undefined;
    reply.code(202);
    const extrasOf = await this.#readExtras([id]);
    return { data: presentSource(source, this.#parts.addresses, extrasOf(id)) };
  }

  async #presentDeployed(source: SourceView, input: AnyRequestDto): Promise<RecordAnswer<DeployedSourceRecord>> {
    const { sourceId } = source;
    const extrasOf = await this.#readExtras([sourceId]);
    return { data: selectFields(presentDeployed(source, this.#parts.addresses, extrasOf(sourceId)), input) };
  }

  async #readExtras(ids: readonly string[]): Promise<(id: string) => SourceExtras> {
    const views = this.#parts.views();
    const [scheduleDocuments, last] = await Promise.all([views.getMany('schedules', ids), lastRunsOf(views, ids)]);
    const schedules = new Map(scheduleDocuments.map((one) => [one?.id, one?.value as ScheduleView | undefined]));
    return (id) => ({ schedule: schedules.get(id), last: last.get(id) });
  }

  #find(caller: Caller, id: string): Promise<SourceView> {
    return readOwned(this.#parts, caller, 'sources', id);
  }
}
