// `GET /v1/subscriptions/ID/filtered`: how many events the filter of a subscription has dropped, by hour.
import { Controller, Get, Inject, Param, UseGuards } from '@nestjs/common';
import { ApiProperty, ApiSchema, ApiTags } from '@nestjs/swagger';
import type { Millis } from '../../../../../domain/message.ts';
import type { FilteredView } from '../../../../../domain/views/index.ts';
import type { Caller } from '../../../control/api-keys.ts';
import { GatewayParts } from '../../../parts/parts.ts';
import type { Parts } from '../../../parts/parts.ts';
import { selectFields } from '../../../http/answer-envelope.ts';
import { ApiKeyGuard, CalledBy } from '../../../http/api-key.guard.ts';
import { Input } from '../../../http/input/input.ts';
import { ApiEpochMs } from '../../../openapi/fields.ts';
import { ApiReads } from '../../../openapi/operation.ts';
import { readOwned } from '../../owned-documents.ts';
import { hourlyDocuments } from '../../stats/hourly-documents.ts';
import { hourMs } from '../../../../../domain/views/stats/stats.view.ts';
import { SpanDto, spanOf, stepsOf } from '../../stats/span.ts';

/** By default the last day. */
const step = { ms: hourMs, steps: 24 };

@ApiSchema({ name: 'Filtered' })
abstract class FilteredRecord {
  @ApiEpochMs({ description: 'Beginning of the hour, epoch milliseconds' })
  abstract readonly ts: number;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'Events that its filter or its transform dropped',
    example: 3,
  })
  abstract readonly count: number;
}

@ApiTags('subscriptions')
@UseGuards(ApiKeyGuard)
@Controller('v1/subscriptions/:id/filtered')
export class FilteredController {
  readonly #parts: Parts<'views' | 'ambient'>;

  constructor(@Inject(GatewayParts) parts: Parts<'views' | 'ambient'>) {
    this.#parts = parts;
  }

  @Get()
  @ApiReads({
    summary: 'How many events a subscription did not want, by hour',
    description: 'One record for each hour, oldest first',
    input: SpanDto,
    record: FilteredRecord,
    shape: 'many',
  })
  async getFiltered(
    @CalledBy() caller: Caller,
    @Param('id') id: string,
    @Input(SpanDto) input: SpanDto,
  ): Promise<{ readonly data: readonly FilteredRecord[] }> {
    const parts = this.#parts;
    await readOwned(parts, caller, 'subscriptions', id);
    const span = spanOf(input, step, parts.ambient.now());
    const counts = new Map<Millis, number>();
    const list = { view: 'filtered', index: 'bySubscription', equals: [id] };
    for await (const { value } of hourlyDocuments(parts.views(), list, span)) {
      const { hour, count } = value as FilteredView;
      counts.set(hour, (counts.get(hour) ?? 0) + count);
    }
    return { data: stepsOf(span, (ts) => selectFields({ ts, count: counts.get(ts) ?? 0 }, input)) };
  }
}
