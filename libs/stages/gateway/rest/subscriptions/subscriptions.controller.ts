// `/v1/subscriptions`: which listener gets the events of which source, and what was delivered.
import { Controller, Delete, Get, HttpCode, Inject, Param, Post, Put, Res, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { FilterChange } from '../../../../domain/delivery/filter/filter-history.ts';
import type { SubscriptionTriple } from '../../../../domain/listener/messages.ts';
import { sizes } from '../../../../domain/sizes.ts';
import type { SubscriptionView } from '../../../../domain/views/index.ts';
import type { Caller } from '../../control/api-keys.ts';
import { GatewayParts } from '../../parts/parts.ts';
import type { Parts } from '../../parts/parts.ts';
import { AnyRequestDto } from '../../http/input/any-request.dto.ts';
import { selectFields } from '../../http/answer-envelope.ts';
import type { PageAnswer, RecordAnswer } from '../../http/answer-envelope.ts';
import { ApiActs, ApiCreates, ApiDeletes, ApiLists, ApiReads, ApiTries, ApiUpdates } from '../../openapi/operation.ts';
import { ApiKeyGuard, CalledBy } from '../../http/api-key.guard.ts';
import { notFound } from '../../http/api-problem.ts';
import { problemsOf } from '../../http/input/field-problem.ts';
import { cursorOfId } from '../../http/pages/cursor.ts';
import { PagingDto } from '../../http/pages/paging.dto.ts';
import { IdempotencyKey } from '../../http/input/idempotency-key.ts';
import { Input } from '../../http/input/input.ts';
import { checkSubscription, listDeliveries } from '../deliveries/list-deliveries.ts';
import { SubscriptionDeliveriesDto } from '../deliveries/deliveries.dto.ts';
import { DeliveryRecord } from '../deliveries/delivery-record.dto.ts';
import { discardParked } from '../deliveries/discard-parked.ts';
import { positionByCreation, readOwned } from '../owned-documents.ts';
import { readPage } from '../lists/page-reader.ts';
import { PreviewDto, PreviewRecord, UpdateSubscriptionDto } from './filter/filter.dto.ts';
import { previewEvent } from './filter/preview.ts';
import { applyFilterChange } from './filter/update-subscription.ts';
import { checkTransform } from './transform/check-transform.ts';
import { subscriptionDetail } from './positions/subscription-detail.ts';
import { SubscriptionDetailRecord } from './positions/subscription-detail.dto.ts';
import { createSubscription, deleteSubscription } from './subscription-commands.ts';
import { presentSubscription } from './subscription.presenter.ts';
import { SubscriptionRecord } from './subscription-record.dto.ts';
import { SubscriptionDeletionDto, SubscriptionDto, SubscriptionsDto } from './subscriptions.dto.ts';

type RequiredParts = Parts<
  | 'secrets'
  | 'deleted'
  | 'views'
  | 'beginnings'
  | 'commands'
  | 'log'
  | 'takenFilters'
  | 'neededFilters'
  | 'transforms'
  | 'limits'
  | 'ambient'
>;

@ApiTags('subscriptions')
@UseGuards(ApiKeyGuard)
@Controller('v1')
export class SubscriptionsController {
  readonly #parts: RequiredParts;

  constructor(@Inject(GatewayParts) parts: RequiredParts) {
    this.#parts = parts;
  }

  @Post('subscriptions')
  @HttpCode(200)
  @ApiCreates({
    summary: 'Subscribe; the same triple again answers with the one that exists',
    bodyBytesMax: sizes.subscriptionBodyBytes,
    description: 'The answer is a list of one.',
    input: SubscriptionDto,
    record: SubscriptionRecord,
    shape: 'many',
  })
  async createSubscription(
    @CalledBy() caller: Caller,
    @IdempotencyKey() idempotencyKey: string | null,
    @Input(SubscriptionDto) input: SubscriptionDto,
  ): Promise<RecordAnswer<readonly SubscriptionRecord[]>> {
    const subscription = await createSubscription(
      this.#parts,
      caller,
      {
        ...tripleOf(input),
        start: input.start ?? 'now',
        filter: input.filter ?? null,
        transform: input.transform ?? null,
      },
      idempotencyKey,
    );
    return { data: [selectFields(presentSubscription(subscription), input)] };
  }

  @Get('subscriptions')
  @ApiLists({
    summary: 'List subscriptions, newest first',
    input: SubscriptionsDto,
    record: SubscriptionRecord,
  })
  async listSubscriptions(
    @CalledBy() caller: Caller,
    @Input(SubscriptionsDto) input: SubscriptionsDto,
  ): Promise<PageAnswer<SubscriptionRecord>> {
    const list = {
      view: 'subscriptions',
      ...indexQueryOf(caller, input),
      positionOfCursor: positionByCreation(this.#parts, caller, 'subscriptions', 'sub'),
      cursorOf: ({ id }: { readonly id: string }) => cursorOfId(id),
    };
    const { page_info, documents } = await readPage(this.#parts.views(), list, input);
    const data = documents.map(({ value }) => selectFields(presentSubscription(value as SubscriptionView), input));
    return { page_info, data };
  }

  @Get('users/me/subscriptions')
  @ApiLists({ summary: 'As listSubscriptions', input: SubscriptionsDto, record: SubscriptionRecord })
  listMySubscriptions(
    @CalledBy() caller: Caller,
    @Input(SubscriptionsDto) input: SubscriptionsDto,
  ): Promise<PageAnswer<SubscriptionRecord>> {
    return this.listSubscriptions(caller, input);
  }

  @Get('workspaces/:workspace/subscriptions')
  @ApiLists({
    summary: 'List the subscriptions of a workspace',
    input: SubscriptionsDto,
    record: SubscriptionRecord,
  })
  async listWorkspaceSubscriptions(
    @CalledBy() caller: Caller,
    @Param('workspace') workspace: string,
    @Input(SubscriptionsDto) input: SubscriptionsDto,
  ): Promise<PageAnswer<SubscriptionRecord>> {
    if (workspace !== caller.workspace) throw notFound();
    return this.listSubscriptions(caller, input);
  }

  @Get('subscriptions/:id')
  @ApiReads({ summary: 'Get a subscription and how far it is', input: AnyRequestDto, record: SubscriptionDetailRecord })
  async getSubscription(
    @CalledBy() caller: Caller,
    @Param('id') id: string,
    @Input(AnyRequestDto) input: AnyRequestDto,
  ): Promise<RecordAnswer<SubscriptionDetailRecord>> {
    return {
      data: selectFields(
        await subscriptionDetail(this.#parts, await readOwned(this.#parts, caller, 'subscriptions', id)),
        input,
      ),
    };
  }

  @Put('subscriptions/:id')
  @ApiUpdates({
    summary:
      'Change which events a subscription wants, or what is made of them, from the events emitted after the answer on',
    bodyBytesMax: sizes.subscriptionBodyBytes,
    input: UpdateSubscriptionDto,
    record: SubscriptionRecord,
    pending: 'It will be so for what is emitted once the change stands among the events',
  })
  async updateSubscription(
    @CalledBy() caller: Caller,
    @Param('id') id: string,
    @Input(UpdateSubscriptionDto) input: UpdateSubscriptionDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RecordAnswer<SubscriptionRecord>> {
    const subscription = await readOwned(this.#parts, caller, 'subscriptions', id);
    const change = changeOf(input);
    await checkTransform(this.#parts, caller, subscription, change.transform);
    const isChanged = Object.keys(change).length > 0;
    if (isChanged && !(await applyFilterChange(this.#parts, caller, subscription, change))) reply.code(202);
    return { data: selectFields({ ...presentSubscription(subscription), ...change }, input) };
  }

  @Post('subscriptions/:id/preview')
  @HttpCode(200)
  @ApiTries({
    summary: 'Try whether a subscription, or another filter, wants an event, and what its transform makes of it',
    bodyBytesMax: sizes.runBodyBytes,
    input: PreviewDto,
    record: PreviewRecord,
  })
  async previewEvent(
    @CalledBy() caller: Caller,
    @Param('id') id: string,
    @Input(PreviewDto) input: PreviewDto,
  ): Promise<RecordAnswer<PreviewRecord>> {
    const subscription = await readOwned(this.#parts, caller, 'subscriptions', id);
    return { data: selectFields(await previewEvent(this.#parts, caller, subscription, input), input) };
  }

  @Get('subscriptions/:id/deliveries')
  @ApiLists({
    summary: 'The deliveries of a subscription with their attempts, newest event first',
    input: SubscriptionDeliveriesDto,
    record: DeliveryRecord,
  })
  async listDeliveries(
    @CalledBy() caller: Caller,
    @Param('id') id: string,
    @Input(SubscriptionDeliveriesDto) input: SubscriptionDeliveriesDto,
  ): Promise<PageAnswer<DeliveryRecord>> {
    await checkSubscription(this.#parts, caller, id);
    return listDeliveries(this.#parts, caller, { subscription_id: id, state: input.state ?? null }, input);
  }

  @Post('subscriptions/:id/discard_parked')
  @HttpCode(200)
  @ApiActs({
    summary: 'Discard the parked deliveries of a subscription, a page at a time, newest event first',
    description: 'The answer is the page as it is afterwards: what cannot be discarded stays `parked`.',
    input: PagingDto,
    record: DeliveryRecord,
    shape: 'page',
  })
  async discardParked(
    @CalledBy() caller: Caller,
    @Param('id') id: string,
    @Input(PagingDto) input: PagingDto,
  ): Promise<PageAnswer<DeliveryRecord>> {
    await checkSubscription(this.#parts, caller, id);
    return discardParked(this.#parts, caller, id, input);
  }

  @Delete('subscriptions')
  @HttpCode(204)
  @ApiDeletes({ summary: 'Delete a subscription by the triple that made it', input: SubscriptionDeletionDto })
  async deleteSubscription(
    @CalledBy() caller: Caller,
    @Input(SubscriptionDeletionDto) input: SubscriptionDeletionDto,
  ): Promise<void> {
    await deleteSubscription(this.#parts, caller, tripleOf(input));
  }

  @Delete('subscriptions/:id')
  @HttpCode(204)
  @ApiDeletes({ summary: 'Delete a subscription by its id', input: AnyRequestDto })
  async deleteSubscriptionById(
    @CalledBy() caller: Caller,
    @Param('id') id: string,
    @Input(AnyRequestDto) _input: AnyRequestDto,
  ): Promise<void> {
    await deleteSubscription(this.#parts, caller, await readOwned(this.#parts, caller, 'subscriptions', id));
  }
}

const changeOf = ({ filter, transform }: UpdateSubscriptionDto): FilterChange => ({
  ...(filter === undefined ? {} : { filter }),
  ...(transform === undefined ? {} : { transform }),
});

/** An empty `event_name=` means none: clients send it (docs/reference/component-api.md, "Subscriptions as records"). */
const tripleOf = ({ emitter_id, listener_id, event_name }: SubscriptionDeletionDto): SubscriptionTriple => ({
  emitterId: emitter_id,
  listenerId: listener_id,
  eventName: event_name || null,
});

/** Throws ApiProblem 400. */
function indexQueryOf(
  { workspace }: Caller,
  { emitter_id: emitterId, listener_id: listenerId }: SubscriptionsDto,
): { readonly index: string; readonly equals: readonly string[] } {
  if (emitterId && listenerId)
    throw problemsOf([{ field: 'listener_id', message: 'Give `emitter_id` or `listener_id`, not both' }]);
  if (emitterId) return { index: 'byEmitter', equals: [workspace, emitterId] };
  return listenerId
    ? { index: 'byListener', equals: [workspace, listenerId] }
    : { index: 'byWorkspace', equals: [workspace] };
}
