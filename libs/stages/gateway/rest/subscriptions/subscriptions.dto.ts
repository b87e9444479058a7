// What `POST` and `DELETE /v1/subscriptions` take: the triple that a subscription is.
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { AnyRequestDto } from '../../rim/input/any-request.dto.ts';

const channelCharsMax = 255;

@ApiSchema({ name: 'SubscriptionRequest' })
export class SubscriptionDto extends AnyRequestDto {
  @ApiProperty({ type: String, description: 'A source, `dc_...`, or `dc_*` for every source' })
  @Matches(/^dc_(\*|[0-9A-Za-z]{1,32})$/, { message: 'emitter_id must be the id of a source (dc_...) or dc_*' })
  readonly emitter_id: string = '';

  @ApiProperty({ type: String, description: 'A webhook, `wh_...`, or a source, `dc_...`' })
  @Matches(/^(?:wh|dc)_[0-9A-Za-z]{1,32}$/, {
    message: 'listener_id must be the id of a webhook (wh_...) or of a source (dc_...)',
  })
  readonly listener_id: string = '';

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    maxLength: channelCharsMax,
    description: 'A channel; absent or empty: every channel but those that begin with `$`',
  })
  @IsOptional()
  @IsString()
  @MaxLength(channelCharsMax)
  readonly event_name?: string | null;
}
