// A component of several files: `files`, the texts by path, of which `entry` names the component.
import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsNotEmpty, IsOptional, IsString, MaxLength, ValidateBy } from 'class-validator';
import { isModulePath, pathsProblem } from '../../../../domain/component/program/paths.ts';
import { filesMax, pathCharsMax } from '../../../../domain/component/program/program.ts';
import type { Program } from '../../../../domain/component/program/program.ts';
import { problemsOf } from '../../http/input/field-problem.ts';

export interface FilesInput {
  readonly files?: Readonly<Record<string, string>> | null;
  readonly entry?: string | null;
}

const isFiles = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).length > 0 &&
  Object.values(value).every((text) => typeof text === 'string');

/** Declares the field `files`. */
export const FilesByPath = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      type: 'object',
      additionalProperties: { type: 'string' },
      maxProperties: filesMax,
      nullable: true,
      description: 'Its files in place of `component_code`: texts by path, relative to one folder',
      example: { 'source.mjs': "import { name } from './common/name.mjs'; ...", 'common/name.mjs': '...' },
    }),
    IsOptional(),
    ValidateBy({
      name: 'isFiles',
      validator: {
        validate: isFiles,
        defaultMessage: () => 'files must be an object of texts by path, with at least one',
      },
    }),
  );

/** Declares the field `entry`. */
export const EntryPath = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      type: String,
      nullable: true,
      maxLength: pathCharsMax,
      description: 'Which of `files` is the component; not needed for a single one',
      example: 'source.mjs',
    }),
    IsOptional(),
    IsString(),
    IsNotEmpty(),
    MaxLength(pathCharsMax),
  );

/** Throws ApiProblem. */
export function programOfFiles({ files, entry }: FilesInput): Program {
  const paths = Object.keys(files ?? {});
  const problem = pathsProblem(paths);
  if (problem !== undefined) throw problemsOf([{ field: 'files', message: `files: ${problem}` }]);
  const path = entry ?? (paths.length === 1 ? paths[0] : undefined);
  if (path === undefined) throw entryProblem('entry must name the one of files that is the component');
  const { [path]: code, ...others } = files ?? {};
  if (code === undefined) throw entryProblem(`entry must be one of files, but "${path}" is not`);
  if (!isModulePath(path)) throw entryProblem('entry must end in .js, .mjs, .cjs, .ts, .mts or .cts');
  if (code === '') throw entryProblem(`the file "${path}" is empty`);
  return { code, entry: path, ...(paths.length === 1 ? {} : { files: others }) };
}

const entryProblem = (message: string): Error => problemsOf([{ field: 'entry', message }]);
