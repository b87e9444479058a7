// `/v1/deliveries`: the deliveries of events to subscriptions, with their outcomes.
import { Controller, Get, HttpCode, Inject, Param, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { DeliveryView } from '../../../../domain/views/index.ts';
import type { Caller } from '../../control/api-keys.ts';
import { GatewayParts } from '../../parts/parts.ts';
import type { Parts } from '../../parts/parts.ts';
import { chosenFields } from '../../http/answer.ts';
import type { Many, One } from '../../http/answer.ts';
import { ApiKeyGuard, CalledBy } from '../../http/api-key.guard.ts';
import { notFound } from '../../http/api-problem.ts';
import { AnyRequestDto } from '../../http/input/any-request.dto.ts';
import { Input } from '../../http/input/input.ts';
import { ApiAccepts, ApiLists, ApiReads } from '../../openapi/operation.ts';
import { readOwned } from '../owned.ts';
import { actOnDelivery } from './act-on-delivery.ts';
import { listDeliveries } from './deliveries.ts';
import { DeliveriesDto } from './deliveries.dto.ts';
import { DeliveryRecord } from './delivery-record.dto.ts';
import { presentDeliveries } from './present-deliveries.ts';

type Needed = Parts<'views' | 'log' | 'limits' | 'ambient'>;

@ApiTags('deliveries')
@UseGuards(ApiKeyGuard)
@Controller('v1/deliveries')
export class DeliveriesController {
  readonly #parts: Needed;

  constructor(@Inject(GatewayParts) parts: Needed) {
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
  ): Promise<Many<DeliveryRecord>> {
    return listDeliveries(this.#parts, caller, input, input);
  }

  @Get(':id')
  @ApiReads({ summary: 'Get a delivery with its attempts', input: AnyRequestDto, record: DeliveryRecord })
  async getDelivery(
    @CalledBy() caller: Caller,
    @Param('id') id: string,
    @Input(AnyRequestDto) input: AnyRequestDto,
  ): Promise<One<DeliveryRecord>> {
    return this.#shown(await this.#find(caller, id), input);
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
  ): Promise<One<DeliveryRecord>> {
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
  ): Promise<One<DeliveryRecord>> {
    return this.#act(caller, id, 'discard', input);
  }

  async #act(caller: Caller, id: string, act: 'retry' | 'discard', input: AnyRequestDto): Promise<One<DeliveryRecord>> {
    return this.#shown(await actOnDelivery(this.#parts, caller, id, act), input);
  }

  async #shown(delivery: DeliveryView, input: AnyRequestDto): Promise<One<DeliveryRecord>> {
    const [shown] = await presentDeliveries(this.#parts, [delivery]);
    if (shown === undefined) throw notFound();
    return { data: chosenFields(shown, input) };
  }

  #find(caller: Caller, id: string): Promise<DeliveryView> {
    return readOwned(this.#parts, caller, 'deliveries', id);
  }
}
