// The parameters of the list of a source's events.
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { ChannelFor } from '../../../http/input/channel-name.ts';
import { PagingDto } from '../../../http/pages/paging.dto.ts';

export class EventsDto extends PagingDto {
  @ApiPropertyOptional({ enum: ['event'], description: 'Answer with whole events' })
  @IsOptional()
  @IsIn(['event'])
  readonly expand?: 'event';

  @ChannelFor('list', {
    description:
      'Only this channel; empty: the default one; `$errors`: failed runs; `$logs`: runs that have printed something; `$in`: what waits for its `delivery_ts`; absent: every one but those that begin with `$`',
  })
  readonly event_name?: string;
}
