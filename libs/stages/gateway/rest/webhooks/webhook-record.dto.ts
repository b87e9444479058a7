// A webhook as the API shows it (docs/reference/component-api.md, "Webhooks as records").
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { timeoutBounds } from '../../../../domain/listener/webhook/settings.ts';
import { ApiEpochMs, ApiEpochSeconds, ApiId } from '../../openapi/fields.ts';
import { exhaustedKinds } from './webhook-fields.ts';
import type { ExhaustedKind } from './webhook-fields.ts';
import { signatures } from './signatures.ts';
import type { Signature } from './signatures.ts';

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

  @ApiProperty({ type: 'boolean', description: 'False: nothing is sent, since it is paused or was disabled' })
  abstract readonly active: boolean;

  @ApiEpochSeconds({ nullable: true, description: 'When it was paused, epoch seconds; null: it is not', example: null })
  abstract readonly paused_at: number | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: '`gone`: its receiver answered 410; null: it is not disabled',
    example: null,
  })
  abstract readonly disabled_reason: string | null;

  @ApiEpochMs({
    nullable: true,
    description:
      'When attempts began to fail of which none has succeeded since, once that is an hour ago; null: it works, or is not active',
    example: null,
  })
  abstract readonly failing_since_ms: number | null;

  @ApiProperty({
    type: 'boolean',
    description: 'True: in order, one request in flight for each source, or for each order key',
  })
  abstract readonly ordered: boolean;

  @ApiProperty({
    type: 'array',
    items: { type: 'integer' },
    nullable: true,
    description: 'Seconds before each retry; null: the default schedule',
    example: [5, 300, 1_800],
  })
  abstract readonly retry_schedule: readonly number[] | null;

  @ApiProperty({ type: 'integer', description: 'The longest that an attempt may take', example: timeoutBounds.default })
  abstract readonly timeout_ms: number;

  @ApiProperty({ enum: exhaustedKinds, description: 'What becomes of an event past its last retry', example: 'park' })
  abstract readonly on_exhausted: ExhaustedKind;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'With `ordered`: where in an event its order key is; null: all events of a source are in one order',
    example: null,
  })
  abstract readonly order_key: string | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Attempts in flight at once', example: null })
  abstract readonly max_in_flight: number | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Attempts a second', example: null })
  abstract readonly rate_limit: number | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Headers that are sent with each attempt; their values are not shown',
    example: { authorization: '[secret]' },
  })
  abstract readonly headers: Readonly<Record<string, string>>;

  @ApiProperty({ enum: signatures, description: 'How attempts are signed', example: 'hmac-sha256' })
  abstract readonly signature: Signature;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: '`whpk_` and base64: what checks signatures by Ed25519; null: they are made by HMAC',
    example: null,
  })
  abstract readonly public_key: string | null;

  @ApiEpochSeconds()
  abstract readonly created_at: number;

  @ApiEpochSeconds()
  abstract readonly updated_at: number;
}

@ApiSchema({ name: 'CreatedWebhook' })
export abstract class NewWebhookRecord extends WebhookRecord {
  @ApiPropertyOptional({
    type: 'string',
    description:
      '`whsec_` and base64: what deliveries are signed with. Only this answer has it, and a repeat with the same Idempotency-Key. Absent for `ed25519`, where `public_key` is all that a receiver needs',
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  })
  abstract readonly signing_key?: string;
}
