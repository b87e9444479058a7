// What the list of a source's events takes.
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { PagingDto } from '../../rim/input/paging.dto.ts';

const channelCharsMax = 255;

export class EventsDto extends PagingDto {
  @ApiPropertyOptional({ enum: ['event'], description: 'Answer with whole events' })
  @IsOptional()
  @IsIn(['event'])
  readonly expand?: 'event';

  @ApiPropertyOptional({
    type: String,
    description:
      'Only this channel; empty: the default one; `$in`: what waits for its `delivery_ts`; absent: every one but those that begin with `$`',
  })
  @IsOptional()
  @IsString()
  @MaxLength(channelCharsMax)
  readonly event_name?: string;
}
