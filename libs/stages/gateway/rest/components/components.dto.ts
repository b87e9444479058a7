// The parameters of `/v1/components`.
import { ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsBoolean, IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import { AnyRequestDto } from '../../http/input/any-request.dto.ts';
import type { QueryForms } from '../../http/input/query-text.ts';
import { PagingDto } from '../../http/pages/paging.dto.ts';
import { CodeReferenceField } from '../code/code-reference.dto.ts';
import { EntryPath, FilesByPath } from '../code/component-files.ts';

@ApiSchema({ name: 'SaveRequest' })
export class SaveComponentDto extends AnyRequestDto {
  static override readonly queryForms: QueryForms = { files: 'json', publish: 'boolean' };

  @CodeReferenceField('code')
  readonly component_code?: string | null;

  @CodeReferenceField('url')
  readonly component_url?: string | null;

  @FilesByPath()
  readonly files?: Readonly<Record<string, string>> | null;

  @EntryPath()
  readonly entry?: string | null;

  @ApiPropertyOptional({
    type: Boolean,
    nullable: true,
    default: false,
    description: 'true: its key means it from now on. It needs a key, and a higher version than the one before',
  })
  @IsOptional()
  @IsBoolean()
  readonly publish?: boolean | null;
}

export class DeleteComponentDto extends AnyRequestDto {
  static override readonly queryForms: QueryForms = { purge: 'boolean' };

  @ApiPropertyOptional({
    type: Boolean,
    nullable: true,
    default: false,
    description: 'true: it is deleted, not only unpublished; the path must have its id then',
  })
  @IsOptional()
  @IsBoolean()
  readonly purge?: boolean | null;
}

export class ComponentsDto extends PagingDto {
  static override readonly queryForms: QueryForms = { ...PagingDto.queryForms, published: 'boolean' };

  @ApiPropertyOptional({ type: Boolean, description: 'true: only those that are published' })
  @IsOptional()
  @IsBoolean()
  readonly published?: boolean | null;

  @ApiPropertyOptional({ type: String, description: 'Only the versions of the component with this key' })
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(255)
  readonly key?: string | null;
}
