// What `/v1/components` takes.
import { ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import { AnyRequestDto } from '../../http/input/any-request.dto.ts';
import { PagingDto } from '../../http/input/paging.dto.ts';
import { AskedCode } from './asked-code.dto.ts';

@ApiSchema({ name: 'SaveRequest' })
export class SaveComponentDto extends AnyRequestDto {
  @AskedCode('code')
  readonly component_code?: string | null;

  @AskedCode('url')
  readonly component_url?: string | null;
}

export class ComponentsDto extends PagingDto {
  @ApiPropertyOptional({ type: String, description: 'Only the versions of the component with this key' })
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(255)
  readonly key?: string | null;
}
