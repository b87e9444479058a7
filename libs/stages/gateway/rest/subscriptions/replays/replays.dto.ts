// The parameters of `POST /v1/subscriptions/ID/replay`.
import { ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import type { ReplayOnly } from '../../../../../domain/delivery/replay/messages.ts';
import { AnyRequestDto } from '../../../http/input/any-request.dto.ts';
import { Position } from '../../../http/pages/position.ts';
import type { PositionInput } from '../../../http/pages/position.ts';
import type { QueryForms } from '../../../http/input/query-text.ts';
import { IsSourceId } from '../../../http/input/ids.ts';

const choices: readonly ReplayOnly[] = ['all', 'failed', 'parked'];
/** More than one webhook can receive. */
const rateMax = 10_000;

@ApiSchema({ name: 'ReplayRequest' })
export class ReplayDto extends AnyRequestDto {
  static override readonly queryForms: QueryForms = { from: 'json', to: 'json', rate: 'integer', dry_run: 'boolean' };

  @Position(['event_id', 'time', 'sequence'], 'The first event; default: `earliest`, the oldest that is kept')
  readonly from?: PositionInput | null;

  @Position(['event_id', 'time', 'sequence'], 'The last event; default: `now`, the newest when the replay is accepted')
  readonly to?: PositionInput | null;

  @ApiPropertyOptional({
    enum: choices,
    nullable: true,
    default: 'all',
    description: '`parked`: events that are parked; `failed`: these, and those with any failed attempt',
  })
  @IsOptional()
  @IsIn(choices)
  readonly only?: ReplayOnly | null;

  @ApiPropertyOptional({
    type: 'integer',
    nullable: true,
    minimum: 1,
    maximum: rateMax,
    description: 'Events a second at most; absent: as fast as the receiver takes them while it also gets new events',
  })
  @IsOptional()
  @Max(rateMax)
  @Min(1)
  @IsInt()
  readonly rate?: number | null;

  @ApiPropertyOptional({ type: Boolean, nullable: true, description: 'Only count the events, and send nothing' })
  @IsOptional()
  @IsBoolean()
  readonly dry_run?: boolean | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: 'The source, for a subscription to every source; absent: every source',
  })
  @IsOptional()
  @IsSourceId()
  readonly emitter_id?: string | null;
}
