// What `POST /v1/webhooks` takes.
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsBoolean, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { AnyRequestDto } from '../../http/input/any-request.dto.ts';
import type { QueryForms } from '../../http/input/query-text.ts';
import { IsWebhookUrl, urlCharsMax } from './webhook-url.ts';

const nameCharsMax = 255;
const descriptionCharsMax = 4_096;
/** More than the default schedule has. */
const retriesMax = 20;
/** A day: what is older than its retry is better fetched than awaited. */
const retrySecondsMax = 86_400;

@ApiSchema({ name: 'NewWebhookRequest' })
export class CreateWebhookDto extends AnyRequestDto {
  static override readonly queryForms: QueryForms = { ordered: 'boolean', retry_schedule: 'integers' };

  @ApiProperty({ type: String, maxLength: urlCharsMax, example: 'https://example.com/hook' })
  @IsWebhookUrl()
  readonly url: string = '';

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: nameCharsMax })
  @IsOptional()
  @IsString()
  @MaxLength(nameCharsMax)
  readonly name?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: descriptionCharsMax })
  @IsOptional()
  @IsString()
  @MaxLength(descriptionCharsMax)
  readonly description?: string | null;

  @ApiPropertyOptional({
    type: Boolean,
    nullable: true,
    default: true,
    description: 'false: up to 64 in flight, in any order',
  })
  @IsOptional()
  @IsBoolean()
  readonly ordered?: boolean | null;

  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'integer', minimum: 0, maximum: retrySecondsMax },
    nullable: true,
    maxItems: retriesMax,
    description: 'Seconds before each retry; absent: the default schedule. In a query string separated by commas.',
  })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(retriesMax)
  @IsInt({ each: true })
  @Min(0, { each: true })
  @Max(retrySecondsMax, { each: true })
  readonly retry_schedule?: readonly number[] | null;
}
