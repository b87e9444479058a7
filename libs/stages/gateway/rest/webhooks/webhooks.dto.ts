// The parameters of the routes of `/v1/webhooks`.
import { ApiPropertyOptional, ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsBoolean, IsOptional, ValidateIf } from 'class-validator';
import { AnyRequestDto } from '../../http/input/any-request.dto.ts';
import type { QueryForms } from '../../http/input/query-text.ts';
import { ExactText, SearchDto } from '../../http/pages/search.dto.ts';
import type { Signature } from './signatures.ts';
import * as Fields from './webhook-fields.ts';
import type { ExhaustedKind } from './webhook-fields.ts';
import { IsWebhookUrl, urlCharsMax } from '../webhook-url.ts';

@ApiSchema({ name: 'WebhooksRequest' })
export class WebhooksDto extends SearchDto {
  @ExactText(Fields.nameCharsMax, 'Only those with exactly this name; not with `url`')
  readonly name?: string | null;

  @ExactText(urlCharsMax, 'Only those with exactly this URL; not with `name`')
  readonly url?: string | null;
}

/** The settings in both requests; null means the default, as if the setting were absent. */
abstract class WebhookSettingsDto extends AnyRequestDto {
  static override readonly queryForms: QueryForms = {
    ordered: 'boolean',
    retry_schedule: 'integers',
    timeout_ms: 'integer',
    max_in_flight: 'integer',
    rate_limit: 'integer',
    headers: 'json',
  };

  @Fields.Name()
  readonly name?: string | null;

  @Fields.Description()
  readonly description?: string | null;

  @Fields.Ordered()
  readonly ordered?: boolean | null;

  @Fields.RetrySchedule()
  readonly retry_schedule?: readonly number[] | null;

  @Fields.TimeoutMs()
  readonly timeout_ms?: number | null;

  @Fields.OnExhausted()
  readonly on_exhausted?: ExhaustedKind | null;

  @Fields.OrderKey()
  readonly order_key?: string | null;

  @Fields.MaxInFlight()
  readonly max_in_flight?: number | null;

  @Fields.RateLimit()
  readonly rate_limit?: number | null;

  @Fields.SignedBy()
  readonly signature?: Signature | null;

  @Fields.Headers()
  readonly headers?: Readonly<Record<string, string>> | null;
}

@ApiSchema({ name: 'NewWebhookRequest' })
export class CreateWebhookDto extends WebhookSettingsDto {
  @ApiProperty({ type: String, maxLength: urlCharsMax, example: 'https://example.com/hook' })
  @IsWebhookUrl()
  readonly url: string = '';
}

const isGiven = (_input: object, value: unknown): boolean => value !== undefined;

/** An absent field stays unchanged. */
@ApiSchema({ name: 'WebhookUpdateRequest' })
export class UpdateWebhookDto extends WebhookSettingsDto {
  static override readonly queryForms: QueryForms = { ...WebhookSettingsDto.queryForms, active: 'boolean' };

  @ApiPropertyOptional({ type: String, maxLength: urlCharsMax, example: 'https://example.com/hook' })
  @ValidateIf(isGiven)
  @IsWebhookUrl()
  readonly url?: string;

  @ApiPropertyOptional({
    type: Boolean,
    nullable: true,
    description:
      'false: nothing is sent, and events wait; true: again, also after its receiver answered 410; null: it stays',
  })
  @IsOptional()
  @IsBoolean()
  readonly active?: boolean | null;
}

@ApiSchema({ name: 'NewSigningKeyRequest' })
export class RegenerateKeyDto extends AnyRequestDto {
  static override readonly queryForms: QueryForms = { overlap_seconds: 'integer' };

  @Fields.OverlapSeconds()
  readonly overlap_seconds?: number | null;
}
