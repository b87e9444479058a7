// `/v1/auto_subscriptions`: the subscriptions to every source, present and future (decision 0049).
import { Controller, Delete, Get, HttpCode, Inject, Param, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { everySource } from '../../../../../domain/delivery/matching.ts';
import type { SubscriptionTriple } from '../../../../../domain/listener/messages.ts';
import type { SubscriptionView } from '../../../../../domain/views/index.ts';
import type { Caller } from '../../../control/api-keys.ts';
import { GatewayParts } from '../../../parts/parts.ts';
import type { Parts } from '../../../parts/parts.ts';
import { selectFields } from '../../../http/answer-envelope.ts';
import type { PageAnswer, RecordAnswer } from '../../../http/answer-envelope.ts';
import { ApiKeyGuard, CalledBy } from '../../../http/api-key.guard.ts';
import { notFound } from '../../../http/api-problem.ts';
import { cursorOfId } from '../../../http/pages/cursor.ts';
import { AnyRequestDto } from '../../../http/input/any-request.dto.ts';
import { IdempotencyKey } from '../../../http/input/idempotency-key.ts';
import { Input } from '../../../http/input/input.ts';
import { PagingDto } from '../../../http/pages/paging.dto.ts';
import { ApiCreates, ApiDeletes, ApiLists } from '../../../openapi/operation.ts';
import { checkId, positionByCreation, findOwned } from '../../owned-documents.ts';
import { readPage } from '../../lists/page-reader.ts';
import { createSubscription, deleteSubscription } from '../subscription-commands.ts';
import { SubscriptionRecord } from '../subscription-record.dto.ts';
import { presentSubscription } from '../subscription.presenter.ts';
import { AutoSubscriptionDeletionDto, AutoSubscriptionDto } from './auto-subscriptions.dto.ts';

type RequiredParts = Parts<
  'secrets' | 'deleted' | 'views' | 'log' | 'limits' | 'beginnings' | 'commands' | 'transforms' | 'ambient'
>;

@ApiTags('subscriptions')
@UseGuards(ApiKeyGuard)
@Controller('v1/auto_subscriptions')
export class AutoSubscriptionsController {
  readonly #parts: RequiredParts;

  constructor(@Inject(GatewayParts) parts: RequiredParts) {
    this.#parts = parts;
  }

  @Post()
  @HttpCode(200)
  @ApiCreates({
    summary: 'Subscribe to every source, present and future; the same again answers with the one that exists',
    description: 'The answer is a list of one: a subscription to `dc_*`.',
    input: AutoSubscriptionDto,
    record: SubscriptionRecord,
    shape: 'many',
  })
  async createAutoSubscription(
    @CalledBy() caller: Caller,
    @IdempotencyKey() idempotencyKey: string | null,
    @Input(AutoSubscriptionDto) input: AutoSubscriptionDto,
  ): Promise<RecordAnswer<readonly SubscriptionRecord[]>> {
    const subscription = await createSubscription(
      this.#parts,
      caller,
      { ...tripleOf(input), start: 'now', filter: null, transform: null },
      // Each route has its own keys; a client's key cannot contain the space.
      idempotencyKey === null ? null : `auto_subscriptions ${idempotencyKey}`,
    );
    return { data: [selectFields(presentSubscription(subscription), input)] };
  }

  @Get()
  @ApiLists({
    summary: 'List the subscriptions to every source, `dc_*`, newest first',
    input: PagingDto,
    record: SubscriptionRecord,
  })
  async listAutoSubscriptions(
    @CalledBy() caller: Caller,
    @Input(PagingDto) input: PagingDto,
  ): Promise<PageAnswer<SubscriptionRecord>> {
    const list = {
      view: 'subscriptions',
      index: 'byEmitter',
      equals: [caller.workspace, everySource],
      positionOfCursor: positionByCreation(this.#parts, caller, 'subscriptions', 'sub'),
      cursorOf: ({ id }: { readonly id: string }) => cursorOfId(id),
    };
    const { page_info, documents } = await readPage(this.#parts.views(), list, input);
    const data = documents.map(({ value }) => selectFields(presentSubscription(value as SubscriptionView), input));
    return { page_info, data };
  }

  @Delete()
  @HttpCode(204)
  @ApiDeletes({
    summary: 'Delete an auto-subscription by its listener and channel',
    input: AutoSubscriptionDeletionDto,
  })
  async deleteAutoSubscription(
    @CalledBy() caller: Caller,
    @Input(AutoSubscriptionDeletionDto) input: AutoSubscriptionDeletionDto,
  ): Promise<void> {
    await deleteSubscription(this.#parts, caller, tripleOf(input));
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiDeletes({ summary: 'Delete an auto-subscription by its id', input: AnyRequestDto })
  async deleteAutoSubscriptionById(
    @CalledBy() caller: Caller,
    @Param('id') id: string,
    @Input(AnyRequestDto) _input: AnyRequestDto,
  ): Promise<void> {
    checkId('sub', id);
    const subscription = await findOwned<SubscriptionView>(this.#parts, caller, 'subscriptions', id);
    if (subscription?.emitterId !== everySource) throw notFound();
    await deleteSubscription(this.#parts, caller, subscription);
  }
}

const tripleOf = ({ listener_id, event_name }: AutoSubscriptionDeletionDto): SubscriptionTriple => ({
  emitterId: everySource,
  listenerId: listener_id,
  eventName: event_name || null,
});
