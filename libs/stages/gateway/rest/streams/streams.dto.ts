// The parameters of a stream.
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import { AnyRequestDto } from '../../http/input/any-request.dto.ts';
import { ChannelFor } from '../../http/input/channel-name.ts';

/** Longer than any id of a record. */
const idCharsMax = 100;

export class StreamDto extends AnyRequestDto {
  @ApiPropertyOptional({
    type: String,
    description: 'Continue after the record with this id; the header `Last-Event-ID` takes precedence',
  })
  @IsOptional()
  @IsString()
  @MaxLength(idCharsMax)
  readonly after?: string;
}

export class EventStreamDto extends StreamDto {
  @ChannelFor('stream', {
    description:
      'Only this channel, empty: the default one; `$errors`: failed runs; `$logs`: runs that have printed something. Without it every channel but those beginning with `$`',
  })
  readonly event_name?: string;
}
