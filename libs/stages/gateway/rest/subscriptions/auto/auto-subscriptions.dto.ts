// The parameters of `POST` and `DELETE /v1/auto_subscriptions`: a listener, and the channel of all sources.
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { AnyRequestDto } from '../../../http/input/any-request.dto.ts';
import { AnyChannel, ChannelFor } from '../../../http/input/channel-name.ts';
import { IsListenerId } from '../../../http/input/ids.ts';

abstract class ListenerDto extends AnyRequestDto {
  @ApiProperty({ type: String, description: 'A webhook, `wh_...`, or a source, `dc_...`' })
  @IsListenerId()
  readonly listener_id: string = '';
}

@ApiSchema({ name: 'AutoSubscriptionRequest' })
export class AutoSubscriptionDto extends ListenerDto {
  @ChannelFor('subscribe', {
    nullable: true,
    description: '`$errors`, `$logs` or a channel; absent or empty: every channel but those that begin with `$`',
  })
  readonly event_name?: string | null;
}

@ApiSchema({ name: 'AutoSubscriptionDeletion' })
export class AutoSubscriptionDeletionDto extends ListenerDto {
  @AnyChannel({ nullable: true, description: 'As the auto-subscription names it; absent or empty: none' })
  readonly event_name?: string | null;
}
