// A subscription as the API shows it (docs/reference/component-api.md, "Subscriptions as records").
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { JsonObject } from '../../../../domain/json.ts';
import { ApiEpochSeconds, ApiId } from '../../openapi/fields.ts';
import { filterProperty } from './filter/filter.dto.ts';
import { transformProperty } from './transform/transform.dto.ts';

@ApiSchema({ name: 'Subscription' })
export abstract class SubscriptionRecord {
  @ApiId('sub')
  abstract readonly id: string;

  @ApiId('dc', { description: 'A source; `dc_*`, `o_...` or `u_...`: every source' })
  abstract readonly emitter_id: string;

  @ApiId('wh', { description: 'A webhook, or a source, `dc_...`, that runs for each event' })
  abstract readonly listener_id: string;

  @ApiProperty({
    type: 'string',
    description: 'A channel; empty: every channel but those that begin with `$`',
    example: 'orders',
  })
  abstract readonly event_name: string;

  @ApiProperty({ ...filterProperty, description: 'Which of these events it wants; null: all' })
  abstract readonly filter: JsonObject | null;

  @ApiProperty({ ...transformProperty, description: 'What is made of them before they are sent; null: nothing' })
  abstract readonly transform: string | null;

  @ApiEpochSeconds()
  abstract readonly created_at: number;
}
