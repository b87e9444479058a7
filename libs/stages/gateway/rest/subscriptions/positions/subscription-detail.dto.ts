// A subscription with its progress, as `GET /v1/subscriptions/ID` shows it.
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ApiEpochMs, ApiEventId, ApiId } from '../../../openapi/fields.ts';
import { SubscriptionRecord } from '../subscription-record.dto.ts';

const subscriptionStates = ['active', 'blocked', 'paused', 'disabled'] as const;
export type SubscriptionState = (typeof subscriptionStates)[number];

const Count = (description: string, example = 0): PropertyDecorator =>
  ApiProperty({ type: 'integer', minimum: 0, description, example });

@ApiSchema({ name: 'Counters' })
export abstract class CountersRecord {
  @Count('Events that have a number: the sum of the others', 1_000)
  abstract readonly published: number;

  @Count('Delivered', 990)
  abstract readonly delivered: number;

  @Count('Parked: no further attempt is made', 2)
  abstract readonly parked: number;

  @Count('Not wanted by the filter', 3)
  abstract readonly filtered: number;

  @Count('Given up: deleted, or too old')
  abstract readonly expired: number;

  @Count('Begun and not finished', 5)
  abstract readonly pending: number;
}

@ApiSchema({ name: 'Lag' })
export abstract class LagRecord {
  @Count('Events after the position, of those that can be listed; counted up to 10,000', 12)
  abstract readonly events: number;

  @ApiProperty({ type: 'boolean', description: 'There are at least so many', example: false })
  abstract readonly capped: boolean;

  @ApiProperty({
    type: 'number',
    minimum: 0,
    description: 'The age of the oldest event that the position waits at or has not reached; 0: there is none',
    example: 4.2,
  })
  abstract readonly seconds: number;
}

@ApiSchema({ name: 'FailedAttempt' })
export abstract class FailedAttemptRecord {
  @ApiEventId()
  abstract readonly event_id: string;

  @ApiProperty({ type: 'integer', nullable: true, description: 'As of an attempt', example: 503 })
  abstract readonly status: number | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'As of an attempt', example: null })
  abstract readonly failure: string | null;

  @ApiEpochMs()
  abstract readonly at_ms: number;
}

@ApiSchema({ name: 'Position' })
export abstract class PositionRecord {
  @ApiId('dc')
  abstract readonly emitter_id: string;

  @ApiProperty({ enum: ['active', 'blocked'], description: '`blocked`: its next event waits for a retry' })
  abstract readonly state: string;

  @Count('The number of the newest event that has one; 0: none has', 1_000)
  abstract readonly sequence: number;

  @ApiEventId({ nullable: true, description: 'That event; null: none, or not known' })
  abstract readonly event_id: string | null;

  @ApiEpochMs({ nullable: true, description: 'When it was emitted, in epoch milliseconds' })
  abstract readonly event_at_ms: number | null;

  @ApiProperty({ type: () => LagRecord, nullable: true, description: 'Null: not known' })
  abstract readonly lag: LagRecord | null;

  @ApiProperty({ type: () => CountersRecord })
  abstract readonly counters: CountersRecord;

  @ApiProperty({ type: () => FailedAttemptRecord, nullable: true, description: 'The newest attempt that failed' })
  abstract readonly last_error: FailedAttemptRecord | null;

  @ApiEpochMs({
    nullable: true,
    description: 'The earliest retry, in epoch milliseconds; null: none is due, or the webhook is not active',
  })
  abstract readonly next_attempt_at_ms: number | null;

  @ApiEpochMs()
  abstract readonly updated_at_ms: number;
}

@ApiSchema({ name: 'SubscriptionDetail' })
export abstract class SubscriptionDetailRecord extends SubscriptionRecord {
  @ApiProperty({
    enum: subscriptionStates,
    description:
      '`paused`, `disabled`: its webhook is; `blocked`: with a source at least, the next event waits for a retry',
  })
  abstract readonly state: SubscriptionState;

  @ApiProperty({ type: () => CountersRecord, description: 'The sum of all positions' })
  abstract readonly counters: CountersRecord;

  @ApiProperty({
    type: () => [PositionRecord],
    description: 'For each source of which an event has come, the first 100 by id; `listPositions` has all',
  })
  abstract readonly positions: readonly PositionRecord[];
}
