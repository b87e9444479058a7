// The parameters of `DELETE /v1/sources/ID/events`.
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsOptional, Matches } from 'class-validator';
import { ApiEventId } from '../../../openapi/fields.ts';
import { AnyRequestDto } from '../../../http/input/any-request.dto.ts';
import { ChannelFor } from '../../../http/input/channel-name.ts';
import { eventIdPattern } from '../../../http/pages/cursor.ts';

const isEventId = { message: '$property must be the id of an event, as its list shows it' };

export class DeleteEventsDto extends AnyRequestDto {
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    pattern: eventIdPattern.source,
    description: 'The first of them, with this one; absent: the oldest',
  })
  @IsOptional()
  @Matches(eventIdPattern, isEventId)
  readonly start_id?: string | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    pattern: eventIdPattern.source,
    description: 'The last of them, with this one; absent: the newest there is when it is accepted',
  })
  @IsOptional()
  @Matches(eventIdPattern, isEventId)
  readonly end_id?: string | null;

  @ChannelFor('delete', {
    nullable: true,
    description:
      'Only this channel; empty: the default one; `$in`: what waits, which is then not emitted; absent: every one but those that begin with `$`',
  })
  readonly event_name?: string | null;
}

@ApiSchema({ name: 'EventDeletion', description: 'Which events are deleted, as it was asked for' })
export abstract class EventDeletionRecord {
  @ApiEventId({ nullable: true })
  abstract readonly start_id: string | null;

  @ApiEventId({ nullable: true })
  abstract readonly end_id: string | null;

  @ApiProperty({ type: 'string', nullable: true, example: '' })
  abstract readonly event_name: string | null;
}
