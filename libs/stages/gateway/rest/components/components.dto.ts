// What `/v1/components` takes.
import { ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import { AnyRequestDto } from '../../http/input/any-request.dto.ts';
import type { QueryForms } from '../../http/input/query-text.ts';
import { PagingDto } from '../../http/input/paging.dto.ts';
import { AskedCode } from './asked-code.dto.ts';
import { EntryPath, FilesByPath } from './asked-files.ts';

@ApiSchema({ name: 'SaveRequest' })
export class SaveComponentDto extends AnyRequestDto {
  static override readonly queryForms: QueryForms = { files: 'json' };

  @AskedCode('code')
  readonly component_code?: string | null;

  @AskedCode('url')
  readonly component_url?: string | null;

  @FilesByPath()
  readonly files?: Readonly<Record<string, string>> | null;

  @EntryPath()
  readonly entry?: string | null;
}

export class ComponentsDto extends PagingDto {
  @ApiPropertyOptional({ type: String, description: 'Only the versions of the component with this key' })
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(255)
  readonly key?: string | null;
}
