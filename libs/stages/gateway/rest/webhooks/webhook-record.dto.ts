// A webhook as the API shows it (docs/reference/component-api.md, "Webhooks as records").
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { ApiEpochSeconds, ApiId } from '../../openapi/fields.ts';

@ApiSchema({ name: 'Webhook' })
export abstract class WebhookRecord {
  @ApiId('wh')
  abstract readonly id: string;

  @ApiId('u')
  abstract readonly user_id: string;

  @ApiProperty({ type: 'string', nullable: true, example: 'Orders' })
  abstract readonly name: string | null;

  @ApiProperty({ type: 'string', nullable: true, example: null })
  abstract readonly description: string | null;

  @ApiProperty({ type: 'string', example: 'https://example.com/hook' })
  abstract readonly url: string;

  @ApiProperty({ type: 'boolean', description: 'False once the receiver has answered 410' })
  abstract readonly active: boolean;

  @ApiProperty({ type: 'boolean', description: 'True: one request in flight for each emitter, in order' })
  abstract readonly ordered: boolean;

  @ApiProperty({
    type: 'array',
    items: { type: 'integer' },
    nullable: true,
    description: 'Seconds before each retry; null: the default schedule',
    example: [5, 300, 1_800],
  })
  abstract readonly retry_schedule: readonly number[] | null;

  @ApiEpochSeconds()
  abstract readonly created_at: number;

  @ApiEpochSeconds()
  abstract readonly updated_at: number;
}

@ApiSchema({ name: 'NewWebhook' })
export abstract class NewWebhookRecord extends WebhookRecord {
  @ApiPropertyOptional({
    type: 'string',
    description:
      '`whsec_` and base64: what deliveries are signed with. Only this answer has it, and a repeat with the same Idempotency-Key',
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  })
  abstract readonly signing_key?: string;
}
