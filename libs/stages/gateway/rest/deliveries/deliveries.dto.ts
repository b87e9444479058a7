// The parameters of the lists of deliveries.
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsOptional, IsString, Matches, Max, MaxLength, Min } from 'class-validator';
import { deliveryStates, type DeliveryState } from '../../../../domain/views/index.ts';
import { eventIdPattern } from '../../http/pages/cursor.ts';
import { PagingDto } from '../../http/pages/paging.dto.ts';
import type { QueryForms } from '../../http/input/query-text.ts';
import { searchCharsMax } from '../../http/pages/search.dto.ts';
import { millisMax } from '../../../../domain/message.ts';
import { IsListenerId, IsSourceId, IsSubscriptionId } from '../../http/input/ids.ts';

/** For the deliveries of one subscription. */
export class SubscriptionDeliveriesDto extends PagingDto {
  @ApiPropertyOptional({ enum: deliveryStates })
  @IsOptional()
  @IsIn(deliveryStates)
  readonly state?: DeliveryState | null;
}

/** For the deliveries of the workspace. */
export class DeliveriesDto extends SubscriptionDeliveriesDto {
  static override readonly queryForms: QueryForms = {
    ...PagingDto.queryForms,
    status: 'integer',
    from: 'integer',
    to: 'integer',
  };

  @ApiPropertyOptional({
    type: String,
    maxLength: searchCharsMax,
    description: 'A part of an id, of the event name, or of the last error or answer, in any case',
  })
  @MaxLength(searchCharsMax)
  @IsString()
  @IsOptional()
  readonly q?: string | null;

  @ApiPropertyOptional({ type: String })
  @IsOptional()
  @IsSubscriptionId()
  readonly subscription_id?: string | null;

  @ApiPropertyOptional({ type: String, description: 'The listener: a webhook, or a source that listens' })
  @IsOptional()
  @IsListenerId()
  readonly webhook_id?: string | null;

  @ApiPropertyOptional({ type: String, description: 'The source that emitted the events' })
  @IsOptional()
  @IsSourceId()
  readonly source_id?: string | null;

  @ApiPropertyOptional({ type: String })
  @IsOptional()
  @Matches(eventIdPattern, { message: 'event_id must be the id of an event, like 1777000000123-0' })
  readonly event_id?: string | null;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: 599,
    description: 'HTTP status of the last attempt; 0: the receiver did not answer',
  })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(599)
  readonly status?: number | null;

  @ApiPropertyOptional({
    type: 'integer',
    format: 'int64',
    minimum: 0,
    description: 'Only events emitted at this time (epoch ms) or later',
  })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(millisMax)
  readonly from?: number | null;

  @ApiPropertyOptional({
    type: 'integer',
    format: 'int64',
    minimum: 0,
    description: 'Only events emitted before this time (epoch ms)',
  })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(millisMax)
  readonly to?: number | null;
}
