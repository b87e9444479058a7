// The parameters and the answer of `GET /v1/components/search`.
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsInt, IsNotEmpty, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { AnyRequestDto } from '../../../http/input/any-request.dto.ts';
import type { QueryForms } from '../../../http/input/query-text.ts';

const queryCharsMax = 200;
const limitMax = 100;

export class SearchComponentsDto extends AnyRequestDto {
  static override readonly queryForms: QueryForms = { limit: 'integer' };

  @ApiProperty({ type: String, maxLength: 100, description: 'The app whose components are meant', example: 'gitlab' })
  @IsString()
  @IsNotEmpty()
  @MaxLength(100)
  readonly app!: string;

  @ApiPropertyOptional({
    type: String,
    maxLength: queryCharsMax,
    description: 'Words that key, name or description have',
  })
  @IsOptional()
  @IsString()
  @MaxLength(queryCharsMax)
  readonly query?: string | null;

  @ApiPropertyOptional({
    type: Number,
    minimum: 1,
    maximum: limitMax,
    default: limitMax,
    description: 'Of sources, and of actions',
  })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(limitMax)
  readonly limit?: number | null;
}

@ApiSchema({ name: 'ComponentSearch', description: 'Keys, those that meet most of the query first' })
export abstract class ComponentSearchRecord {
  @ApiProperty({ type: [String], example: ['gitlab-new-issue'] })
  abstract readonly sources: readonly string[];

  @ApiProperty({ type: [String], example: ['gitlab-create-issue'] })
  abstract readonly actions: readonly string[];
}
