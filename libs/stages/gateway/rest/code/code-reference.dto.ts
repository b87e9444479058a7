// The parameters that name code: as text, as a saved component, or by a URL. A request has one of them.
import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsNotEmpty, IsOptional, IsString, MaxLength, ValidateBy } from 'class-validator';
import { keyCharsMax } from '../../../../domain/component/program/registry-component.ts';
import type { QueryForms } from '../../http/input/query-text.ts';
import { isWebhookUrl, urlCharsMax } from '../webhook-url.ts';
import { EntryPath, FilesByPath } from './component-files.ts';

const codeFields = {
  code: {
    description: 'Source text of the component, one CommonJS or ES module',
    message: 'component_code must be the source text of a component',
    charsMax: undefined,
  },
  id: {
    description: 'A saved component by its id, or by its key: then its version that was saved last',
    message: 'component_id must be the id or the key of a saved component',
    charsMax: 255,
  },
  url: {
    description: 'Where its source text is: fetched once, now. The page of a file on github.com means the file itself',
    message: `component_url must be an http or https URL with a host, without user and password, of at most ${urlCharsMax} characters`,
    charsMax: urlCharsMax,
  },
  key: {
    description: 'A component by its key: the one that is published in the workspace, else that of the registry',
    message: 'key must be the key of a component',
    charsMax: keyCharsMax,
  },
} as const;

const isUrl = (message: string): PropertyDecorator =>
  ValidateBy({ name: 'isUrl', validator: { validate: isWebhookUrl, defaultMessage: () => message } });

export function CodeReferenceField(kind: keyof typeof codeFields): PropertyDecorator {
  const { description, message, charsMax } = codeFields[kind];
  const bound = charsMax === undefined ? {} : { maxLength: charsMax };
  return applyDecorators(
    ApiPropertyOptional({ type: String, nullable: true, description, ...bound }),
    IsOptional(),
    IsString(),
    IsNotEmpty({ message }),
    ...(charsMax === undefined ? [] : [MaxLength(charsMax)]),
    ...(kind === 'url' ? [isUrl(message)] : []),
  );
}

/** All ways to name code. */
export class CodeReferenceDto {
  static readonly queryForms: QueryForms = { files: 'json' };

  @CodeReferenceField('code')
  readonly component_code?: string | null;

  @CodeReferenceField('id')
  readonly component_id?: string | null;

  @CodeReferenceField('url')
  readonly component_url?: string | null;

  @CodeReferenceField('key')
  readonly key?: string | null;

  @FilesByPath()
  readonly files?: Readonly<Record<string, string>> | null;

  @EntryPath()
  readonly entry?: string | null;
}
