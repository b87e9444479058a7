// A delivery with its attempts as the API shows it.
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ApiEpochMs, ApiEventId, ApiId } from '../../openapi/fields.ts';
import { AttemptDetailsRecord } from './attempt-details.dto.ts';
import { deliveryStates } from '../../../../domain/views/index.ts';

@ApiSchema({ name: 'Attempt' })
export abstract class AttemptRecord extends AttemptDetailsRecord {
  @ApiProperty({ type: 'integer', minimum: 1, example: 1 })
  abstract readonly attempt: number;

  @ApiProperty({ enum: ['delivered', 'failed'] })
  abstract readonly outcome: string;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'HTTP status; null: the receiver did not answer',
    example: 200,
  })
  abstract readonly status: number | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description:
      'Why no answer counts: `address_refused` `dns` `connect` `connect_timeout` `timeout` `closed` `tls` `answer_too_long` `protocol` `aborted`',
    example: null,
  })
  abstract readonly failure: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'The failure in words', example: null })
  abstract readonly message: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'The first 16 KiB of the answer', example: 'thanks' })
  abstract readonly answer: string | null;

  @ApiEpochMs()
  abstract readonly started_at_ms: number;

  @ApiProperty({ type: 'number', minimum: 0, example: 12 })
  abstract readonly duration_ms: number;

  @ApiId('rpl', { nullable: true, description: 'The replay that made it; null: none', example: null })
  abstract readonly replay_id: string | null;
}

@ApiSchema({ name: 'Delivery' })
export abstract class DeliveryRecord {
  @ApiProperty({ type: 'string', description: 'The `webhook-id` header, the same at every attempt' })
  abstract readonly id: string;

  @ApiId('sub')
  abstract readonly subscription_id: string;

  @ApiId('wh')
  abstract readonly webhook_id: string;

  @ApiId('dc')
  abstract readonly emitter_id: string;

  @ApiEventId()
  abstract readonly event_id: string;

  @ApiProperty({ type: 'string', description: 'The channel; empty: the default one', example: '' })
  abstract readonly event_name: string;

  @ApiProperty({ enum: deliveryStates })
  abstract readonly state: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: '`attempts_exhausted` or `gone` (the receiver answered 410)',
    example: null,
  })
  abstract readonly parked_reason: string | null;

  @ApiProperty({ type: 'integer', minimum: 0, example: 1 })
  abstract readonly attempt_count: number;

  @ApiEpochMs({
    nullable: true,
    description: 'Epoch milliseconds; null: no attempt is due, or the webhook is not active',
    example: null,
  })
  abstract readonly next_attempt_at_ms: number | null;

  @ApiEpochMs()
  abstract readonly updated_at_ms: number;

  @ApiProperty({ type: [AttemptRecord], description: 'In order, the newest 32' })
  abstract readonly attempts: readonly AttemptRecord[];
}
