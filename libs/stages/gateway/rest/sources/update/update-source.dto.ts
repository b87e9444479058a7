// What `PUT /v1/sources/ID` and `DELETE /v1/sources/ID` take.
import { ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsBoolean, IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import { AnyRequestDto } from '../../../rim/input/any-request.dto.ts';
import type { QueryForms } from '../../../rim/input/query-text.ts';

const nameCharsMax = 255;

@ApiSchema({ name: 'DeleteSourceRequest' })
export class DeleteSourceDto extends AnyRequestDto {
  static override readonly queryForms: QueryForms = { ignore_hook_errors: 'boolean' };

  @ApiPropertyOptional({
    type: Boolean,
    nullable: true,
    default: false,
    description: 'true: a hook `deactivate` that throws does not stop it',
  })
  @IsOptional()
  @IsBoolean()
  readonly ignore_hook_errors?: boolean | null;
}

/** Every field that is absent, or null, stays as it is. */
@ApiSchema({ name: 'UpdateRequest' })
export class UpdateSourceDto extends DeleteSourceDto {
  static override readonly queryForms: QueryForms = { ...DeleteSourceDto.queryForms, active: 'boolean' };

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: nameCharsMax })
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(nameCharsMax)
  readonly name?: string | null;

  @ApiPropertyOptional({
    type: Boolean,
    nullable: true,
    description: 'false: no endpoint and no ticks, after its hook `deactivate`; true: again, after `activate`',
  })
  @IsOptional()
  @IsBoolean()
  readonly active?: boolean | null;
}
