// The parameters of `/v1/subscriptions`: the triple that identifies a subscription, its start, and list filters.
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import type { JsonObject } from '../../../../domain/json.ts';
import { AnyRequestDto } from '../../http/input/any-request.dto.ts';
import { AnyChannel, ChannelFor } from '../../http/input/channel-name.ts';
import { PagingDto } from '../../http/pages/paging.dto.ts';
import { Position } from '../../http/pages/position.ts';
import type { PositionInput } from '../../http/pages/position.ts';
import type { QueryForms } from '../../http/input/query-text.ts';
import { FilterField } from './filter/filter.dto.ts';
import { TransformField } from './transform/transform.dto.ts';
import { IsEmitterId, IsListenerId } from '../../http/input/ids.ts';

abstract class PartiesDto extends AnyRequestDto {
  @ApiProperty({
    type: String,
    description: 'A source, `dc_...`; every source: `dc_*`, the workspace, `o_...`, or the user, `u_...`',
  })
  @IsEmitterId()
  readonly emitter_id: string = '';

  @ApiProperty({ type: String, description: 'A webhook, `wh_...`, or a source, `dc_...`' })
  @IsListenerId()
  readonly listener_id: string = '';

  abstract readonly event_name?: string | null;
}

@ApiSchema({ name: 'SubscriptionRequest' })
export class SubscriptionDto extends PartiesDto {
  static override readonly queryForms: QueryForms = { start: 'json', filter: 'json' };

  @ChannelFor('subscribe', {
    nullable: true,
    description:
      'A channel; `$errors`: failed runs; `$logs`: runs that print something; `$audit`: signed checkpoints; absent or empty: every channel but those that begin with `$`',
  })
  readonly event_name?: string | null;

  @Position(
    ['event_id', 'time'],
    'The first event to deliver: `now` (the default): the next one; `earliest`: the oldest that is kept',
  )
  readonly start?: PositionInput | null;

  @FilterField('Which of these events it wants; absent: all')
  readonly filter?: JsonObject | null;

  @TransformField('A JavaScript function that makes of each event what is sent; absent: the event itself is')
  readonly transform?: string | null;
}

@ApiSchema({ name: 'SubscriptionDeletion' })
export class SubscriptionDeletionDto extends PartiesDto {
  @AnyChannel({ nullable: true, description: 'As the subscription names it; absent or empty: none' })
  readonly event_name?: string | null;
}

/** Filters a list: the subscriptions of one source or one listener, or all. */
@ApiSchema({ name: 'SubscriptionsRequest' })
export class SubscriptionsDto extends PagingDto {
  @ApiPropertyOptional({ type: String, description: 'Only those of this source; not with `listener_id`' })
  @IsOptional()
  @IsEmitterId()
  readonly emitter_id?: string | null;

  @ApiPropertyOptional({ type: String, description: 'Only those to this webhook or source; not with `emitter_id`' })
  @IsOptional()
  @IsListenerId()
  readonly listener_id?: string | null;
}
