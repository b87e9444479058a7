// `/v1/deliveries`: the deliveries of events to subscriptions, with their outcomes.
import { Controller, Get, HttpCode, Inject, Param, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { DeliveryView } from '../../../../domain/views/index.ts';
import type { Caller } from '../../control/api-keys.ts';
import { GatewayParts } from '../../parts/parts.ts';
import type { Parts } from '../../parts/parts.ts';
import { selectFields } from '../../http/answer-envelope.ts';
import type { PageAnswer, RecordAnswer } from '../../http/answer-envelope.ts';
import { ApiKeyGuard, CalledBy } from '../../http/api-key.guard.ts';
import { notFound } from '../../http/api-problem.ts';
import { AnyRequestDto } from '../../http/input/any-request.dto.ts';
import { Input } from '../../http/input/input.ts';
import { ApiAccepts, ApiLists, ApiReads } from '../../openapi/operation.ts';
import { readOwned } from '../owned-documents.ts';
import { actOnDelivery } from './act-on-delivery.ts';
import { listDeliveries } from './list-deliveries.ts';
import { DeliveriesDto } from './deliveries.dto.ts';
import { DeliveryRecord } from './delivery-record.dto.ts';
import { presentDeliveries } from './present-deliveries.ts';

type RequiredParts = Parts<'views' | 'log' | 'limits' | 'ambient'>;

@ApiTags('deliveries')
@UseGuards(ApiKeyGuard)
@Controller('v1/deliveries')
export class DeliveriesController {
  readonly #parts: RequiredParts;

  constructor(@Inject(GatewayParts) parts: RequiredParts) {
    this.#parts = parts;
  }

  @Get()
  @ApiLists({
    summary: 'The deliveries of the workspace that all filters choose, newest event first',
    description:
      'With `q`, with `status`, or with several of the ids, a page looks at 1,000 deliveries at most: it may be short and have `searched_to_ms`; `end_cursor` continues from there. `total_count` is then an upper bound.',
    input: DeliveriesDto,
    record: DeliveryRecord,
  })
  findDeliveries(
    @CalledBy() caller: Caller,
    @Input(DeliveriesDto) input: DeliveriesDto,
  ): Promise<PageAnswer<DeliveryRecord>> {
    return listDeliveries(this.#parts, caller, input, input);
  }

  @Get(':id')
  @ApiReads({ summary: 'Get a delivery with its attempts', input: AnyRequestDto, record: DeliveryRecord })
  async getDelivery(
    @CalledBy() caller: Caller,
    @Param('id') id: string,
    @Input(AnyRequestDto) input: AnyRequestDto,
  ): Promise<RecordAnswer<DeliveryRecord>> {
    return this.#present(await this.#find(caller, id), input);
  }

  @Post(':id/retry')
  @HttpCode(202)
  @ApiAccepts({
    summary: 'Try a delivery now that waits for a retry or is parked',
    input: AnyRequestDto,
    record: DeliveryRecord,
    conflicts: true,
  })
  retryDelivery(
    @CalledBy() caller: Caller,
    @Param('id') id: string,
    @Input(AnyRequestDto) input: AnyRequestDto,
  ): Promise<RecordAnswer<DeliveryRecord>> {
    return this.#act(caller, id, 'retry', input);
  }

  @Post(':id/discard')
  @HttpCode(202)
  @ApiAccepts({
    summary: 'Discard a delivery that waits, is parked or blocks others',
    input: AnyRequestDto,
    record: DeliveryRecord,
    conflicts: true,
  })
  discardDelivery(
    @CalledBy() caller: Caller,
    @Param('id') id: string,
    @Input(AnyRequestDto) input: AnyRequestDto,
  ): Promise<RecordAnswer<DeliveryRecord>> {
    return this.#act(caller, id, 'discard', input);
  }

  async #act(
    caller: Caller,
    id: string,
    action: 'retry' | 'discard',
    input: AnyRequestDto,
  ): Promise<RecordAnswer<DeliveryRecord>> {
    return this.#present(await actOnDelivery(this.#parts, caller, id, action), input);
  }

  async #present(delivery: DeliveryView, input: AnyRequestDto): Promise<RecordAnswer<DeliveryRecord>> {
    const [record] = await presentDeliveries(this.#parts, [delivery]);
    if (record === undefined) throw notFound();
    return { data: selectFields(record, input) };
  }

  #find(caller: Caller, id: string): Promise<DeliveryView> {
    return readOwned(this.#parts, caller, 'deliveries', id);
  }
}
