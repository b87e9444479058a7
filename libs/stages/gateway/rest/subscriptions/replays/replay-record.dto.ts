// A replay as the API shows it, and the result of a dry run.
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ApiEpochMs, ApiEventId, ApiId } from '../../../openapi/fields.ts';

@ApiSchema({ name: 'Replay' })
export abstract class ReplayRecord {
  @ApiId('rpl')
  abstract readonly id: string;

  @ApiId('sub')
  abstract readonly subscription_id: string;

  @ApiId('dc', { description: 'The source; `dc_*`, `o_...` or `u_...`: every source' })
  abstract readonly emitter_id: string;

  @ApiProperty({ enum: ['all', 'failed', 'parked'] })
  abstract readonly only: string;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Events a second at most; null: no limit' })
  abstract readonly rate: number | null;

  @ApiProperty({
    enum: ['pending', 'running', 'done', 'cancelled'],
    description: '`pending`: it waits for other replays to end',
  })
  abstract readonly state: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description:
      'Why it was cancelled: `requested` `webhook_deleted` `too_many_replays` `too_many_selected` `no_such_sequence`',
  })
  abstract readonly reason: string | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Events that it is about; null: not counted yet' })
  abstract readonly total: number | null;

  @ApiProperty({ type: 'integer', description: 'Events delivered' })
  abstract readonly done: number;

  @ApiProperty({ type: 'integer', description: 'Events given up after their last attempt' })
  abstract readonly failed: number;

  @ApiProperty({
    type: 'integer',
    description: 'Events that were deleted, are no longer kept, or are dropped by the transform',
  })
  abstract readonly passed: number;

  @ApiProperty({
    type: 'integer',
    description: 'Events, counted in `left`, whose last attempt failed: they wait for a retry, or hold up the replay',
  })
  abstract readonly retrying: number;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Events not finished yet; null: not counted yet' })
  abstract readonly left: number | null;

  @ApiEpochMs()
  abstract readonly requested_at_ms: number;

  @ApiEpochMs({ nullable: true, description: 'Epoch milliseconds; null: it has not ended', example: null })
  abstract readonly ended_at_ms: number | null;
}

@ApiSchema({ name: 'ReplayCount' })
export abstract class ReplayCountRecord {
  @ApiProperty({ type: 'integer', description: 'Events that the replay would send' })
  abstract readonly count: number;

  @ApiEventId({ nullable: true, description: 'The first of them; null: there is none' })
  abstract readonly first: string | null;

  @ApiEventId({ nullable: true, description: 'The last of them; null: there is none' })
  abstract readonly last: string | null;
}
