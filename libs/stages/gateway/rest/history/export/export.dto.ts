// The parameters of `GET /v1/history/export`.
import { millisMax } from '../../../../../domain/message.ts';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { AnyRequestDto } from '../../../http/input/any-request.dto.ts';
import type { QueryForms } from '../../../http/input/query-text.ts';

/** A cursor is six numbers and a digest, as base64. */
const cursorCharsMax = 500;

export class ExportDto extends AnyRequestDto {
  static override readonly queryForms: QueryForms = { ...AnyRequestDto.queryForms, from: 'integer', to: 'integer' };

  @ApiPropertyOptional({ type: 'integer', format: 'int64', minimum: 0, description: 'Records from then on, epoch ms' })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(millisMax)
  readonly from?: number | null;

  @ApiPropertyOptional({ type: 'integer', format: 'int64', minimum: 0, description: 'Records before then; now' })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(millisMax)
  readonly to?: number | null;

  @ApiPropertyOptional({
    type: String,
    description: 'The last `cursor` in a file that broke off: the answer continues after that line',
  })
  @IsOptional()
  @IsString()
  @MaxLength(cursorCharsMax)
  readonly cursor?: string | null;
}
