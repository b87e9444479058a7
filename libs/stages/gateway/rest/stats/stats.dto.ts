// The parameters and the answer of `GET /v1/stats`.
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { ApiEpochMs } from '../../openapi/fields.ts';
import { SpanDto } from './span.ts';

const statsSteps = ['minute', 'hour'] as const;

export class StatsDto extends SpanDto {
  @ApiPropertyOptional({ enum: statsSteps, default: 'minute', description: 'What each record counts' })
  @IsOptional()
  @IsIn(statsSteps)
  readonly step?: (typeof statsSteps)[number] | null;
}

const Count = (description: string, example = 0): PropertyDecorator =>
  ApiProperty({ type: 'integer', minimum: 0, description, example });

/** Counts of the deliveries of a workspace, or of one webhook. */
@ApiSchema({ name: 'AttemptStats' })
export abstract class AttemptStatsRecord {
  @ApiEpochMs({ description: 'Beginning of the minute or hour, epoch milliseconds' })
  abstract readonly ts: number;

  @Count('Attempts of deliveries that ended then, those of replays too', 130)
  abstract readonly attempts: number;

  @Count('Of these attempts: failed', 10)
  abstract readonly failed_attempts: number;

  @Count('Events of which the last attempt failed then')
  abstract readonly parked: number;

  @ApiProperty({ type: 'number', nullable: true, description: 'Mean duration of the attempts; null: there were none' })
  abstract readonly mean_attempt_ms: number | null;

  @ApiProperty({ type: 'number', nullable: true, description: 'Duration of the slowest; null: there were none' })
  abstract readonly slowest_attempt_ms: number | null;

  @Count('Of these attempts: first ones of events, not of replays', 120)
  abstract readonly first_attempts: number;

  @ApiProperty({ type: 'number', nullable: true, description: 'Mean time from events to their first attempts' })
  abstract readonly mean_lag_ms: number | null;

  @ApiProperty({
    type: 'number',
    nullable: true,
    description: 'Of the event that waited longest for its first attempt',
  })
  abstract readonly longest_lag_ms: number | null;
}

@ApiSchema({ name: 'Stats' })
export abstract class StatsRecord extends AttemptStatsRecord {
  @Count('Events emitted or published; those of channels that begin with `$` are not counted', 120)
  abstract readonly events: number;

  @Count('Runs that began then; checks of code are not counted', 60)
  abstract readonly runs: number;

  @Count('Of these runs: failed or refused', 1)
  abstract readonly failed_runs: number;
}
