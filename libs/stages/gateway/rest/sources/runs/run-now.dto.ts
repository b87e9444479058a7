// The parameters of `POST /v1/sources/ID/run`.
import { ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import type { Json } from '../../../../../domain/json.ts';
import { ApiAnyJson } from '../../../openapi/fields.ts';
import { AnyRequestDto } from '../../../http/input/any-request.dto.ts';
import type { QueryForms } from '../../../http/input/query-text.ts';

@ApiSchema({ name: 'RunRequest' })
export class RunNowDto extends AnyRequestDto {
  static override readonly queryForms: QueryForms = { event: 'json', wait: 'integer' };

  @ApiAnyJson({
    required: false,
    description: "The argument of `run`; without it one in the shape of the source's interface",
  })
  @IsOptional()
  readonly event?: Json;

  @ApiPropertyOptional({ type: 'integer', enum: [0, 1], default: 0, description: '1: answer when the run has ended' })
  @IsOptional()
  @IsIn([0, 1])
  readonly wait?: 0 | 1;
}
