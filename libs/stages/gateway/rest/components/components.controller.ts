// `/v1/components`: saved components, from which sources can be deployed.
import { Controller, Delete, Get, HttpCode, Inject, Param, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { sizes } from '../../../../domain/sizes.ts';
import type { ComponentView } from '../../../../domain/views/index.ts';
import type { Caller } from '../../control/api-keys.ts';
import { GatewayParts } from '../../parts/parts.ts';
import type { Parts } from '../../parts/parts.ts';
import { ApiCreates, ApiDeletes, ApiLists, ApiReads } from '../../openapi/operation.ts';
import { selectFields } from '../../http/answer-envelope.ts';
import type { PageAnswer, RecordAnswer } from '../../http/answer-envelope.ts';
import { ApiKeyGuard, CalledBy } from '../../http/api-key.guard.ts';
import { notFound } from '../../http/api-problem.ts';
import { cursorOfId } from '../../http/pages/cursor.ts';
import { AnyRequestDto } from '../../http/input/any-request.dto.ts';
import { IdempotencyKey } from '../../http/input/idempotency-key.ts';
import { Input } from '../../http/input/input.ts';
import { positionByCreation } from '../owned-documents.ts';
import { readPage } from '../lists/page-reader.ts';
import type { ViewList } from '../lists/page-reader.ts';
import { requireCodeReference } from '../code/code-reference.ts';
import { ComponentRecord, ComponentSummaryRecord } from './component-record.dto.ts';
import { presentComponent, presentSummary } from './component.presenter.ts';
import { ComponentsDto, DeleteComponentDto, SaveComponentDto } from './components.dto.ts';
import { findCode, findComponent } from '../code/find-component.ts';
import { deleteComponent, saveComponent, unpublishComponent } from './save-component.ts';

type RequiredParts = Parts<'secrets' | 'deleted' | 'views' | 'commands' | 'ambient' | 'log'>;

@ApiTags('components')
@UseGuards(ApiKeyGuard)
@Controller('v1')
export class ComponentsController {
  readonly #parts: RequiredParts;

  constructor(@Inject(GatewayParts) parts: RequiredParts) {
    this.#parts = parts;
  }

  @Post('components')
  @HttpCode(200)
  @ApiCreates({
    summary: 'Save a component, described and checked as for a deploy',
    bodyBytesMax: sizes.restBodyBytes,
    input: SaveComponentDto,
    record: ComponentRecord,
  })
  async saveComponent(
    @CalledBy() caller: Caller,
    @IdempotencyKey() idempotencyKey: string | null,
    @Input(SaveComponentDto) input: SaveComponentDto,
  ): Promise<RecordAnswer<ComponentRecord>> {
    const reference = requireCodeReference(input, ['component_code', 'component_url', 'files']);
    const save = { asked: reference, publishes: input.publish === true };
    const component = await saveComponent(this.#parts, caller, save, idempotencyKey);
    return { data: selectFields(await this.#present(caller, component), input) };
  }

  @Get('components')
  @ApiLists({
    summary: 'List saved components, newest first, without their code',
    input: ComponentsDto,
    record: ComponentSummaryRecord,
  })
  async listComponents(
    @CalledBy() caller: Caller,
    @Input(ComponentsDto) input: ComponentsDto,
  ): Promise<PageAnswer<ComponentSummaryRecord>> {
    const list = {
      view: 'components',
      ...indexQueryOf(caller, input),
      positionOfCursor: positionByCreation(this.#parts, caller, 'components', 'sc'),
      cursorOf: ({ id }: { readonly id: string }) => cursorOfId(id),
    };
    const { page_info, documents } = await readPage(this.#parts.views(), list, input);
    const data = documents.map(({ value }) => selectFields(presentSummary(value as ComponentView), input));
    return { page_info, data };
  }

  @Get('components/:component')
  @ApiReads({
    summary: 'Get a saved component by its id, or the newest version by its key',
    input: AnyRequestDto,
    record: ComponentRecord,
  })
  async getComponent(
    @CalledBy() caller: Caller,
    @Param('component') idOrKey: string,
    @Input(AnyRequestDto) input: AnyRequestDto,
  ): Promise<RecordAnswer<ComponentRecord>> {
    const component = await findComponent(this.#parts, caller, idOrKey);
    if (component === undefined) throw notFound();
    return { data: selectFields(await this.#present(caller, component), input) };
  }

  @Delete('components/:component')
  @HttpCode(204)
  @ApiDeletes({
    summary: 'Unpublish a component, by its id or its key, or delete it, by its id; sources deployed from it stay',
    input: DeleteComponentDto,
  })
  async unpublishComponent(
    @CalledBy() caller: Caller,
    @Param('component') idOrKey: string,
    @Input(DeleteComponentDto) { purge }: DeleteComponentDto,
  ): Promise<void> {
    if (purge === true) await deleteComponent(this.#parts, caller, idOrKey);
    else await unpublishComponent(this.#parts, caller, idOrKey);
  }

  async #present(caller: Caller, component: ComponentView): Promise<ComponentRecord> {
    return presentComponent(component, await findCode(this.#parts, caller, component));
  }
}

/** The index of a list, with the values that must match. */
function indexQueryOf({ workspace }: Caller, { key, published }: ComponentsDto): Pick<ViewList, 'index' | 'equals'> {
  const isOfKey = typeof key === 'string';
  if (published === true)
    return isOfKey
      ? { index: 'byPublishedKey', equals: [workspace, key] }
      : { index: 'byPublished', equals: [workspace, 'yes'] };
  return isOfKey ? { index: 'byKey', equals: [workspace, key] } : { index: 'byWorkspace', equals: [workspace] };
}
