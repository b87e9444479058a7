// What `POST /v1/sources` takes.
import { ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsNotEmpty, IsObject, IsOptional, IsString, MaxLength, ValidateBy } from 'class-validator';
import type { JsonObject } from '../../../../domain/json.ts';
import { AnyRequestDto } from '../../rim/input/any-request.dto.ts';
import type { QueryForms } from '../../rim/input/query-text.ts';
import { AskedCode } from '../components/asked-code.dto.ts';
import { Setting, settingForms } from './setting.ts';

const nameCharsMax = 255;

/** Known to the hosted service, refused here in words that say what to send instead. */
const NotSupported = (): PropertyDecorator =>
  ValidateBy({
    name: 'notSupported',
    validator: {
      validate: (value) => value === undefined || value === null,
      defaultMessage: () => '$property is not supported: send the code of the component as component_code',
    },
  });

@ApiSchema({ name: 'DeployRequest' })
export class DeploySourceDto extends AnyRequestDto {
  static override readonly queryForms: QueryForms = {
    configured_props: 'json',
    ...settingForms,
  };

  @AskedCode('code')
  readonly component_code?: string | null;

  @AskedCode('id')
  readonly component_id?: string | null;

  @AskedCode('url')
  readonly component_url?: string | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    maxLength: nameCharsMax,
    description: "Default: the component's",
  })
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(nameCharsMax)
  readonly name?: string | null;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'Values by prop name',
  })
  @IsOptional()
  @IsObject()
  readonly configured_props?: JsonObject | null;

  @Setting('timeoutMs', 'The longest that a run may take')
  readonly timeout_ms?: number | null;

  @Setting('memoryMb', "Of the source's isolate")
  readonly memory_mb?: number | null;

  @Setting('rateLimit', 'Requests to its endpoint a second, on average, that each gateway process takes; default: any')
  readonly rate_limit?: number | null;

  @Setting('concurrency', 'How many of its runs may be under way at once')
  readonly concurrency?: number | null;

  @NotSupported()
  readonly key?: unknown;
}
