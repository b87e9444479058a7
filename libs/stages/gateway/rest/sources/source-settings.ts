// The parameters for settings of a source: integers within bounds, and a boolean.
import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsInt, IsOptional, Max, Min } from 'class-validator';
import { settingBounds, settingsOf } from '../../../../domain/source/source-settings.ts';
import type { SourceSettings } from '../../../../domain/source/source-settings.ts';
import type { QueryForms } from '../../http/input/query-text.ts';

/** The forms of the settings in a query string. */
export const settingForms = {
  timeout_ms: 'integer',
  memory_mb: 'integer',
  rate_limit: 'integer',
  concurrency: 'integer',
  emit_on_deploy: 'boolean',
} as const satisfies QueryForms;

type FormValue = { readonly integer: number; readonly boolean: boolean };
type SettingFields = { readonly [Field in keyof typeof settingForms]?: FormValue[(typeof settingForms)[Field]] | null };

/** Undefined: the request has no settings. */
export const readSettings = (fields: SettingFields): SourceSettings | undefined =>
  settingsOf({
    timeoutMs: fields.timeout_ms,
    memoryMb: fields.memory_mb,
    rateLimit: fields.rate_limit,
    concurrency: fields.concurrency,
    emitOnDeploy: fields.emit_on_deploy,
  });

/**
 * `min`: overrides the usual minimum. The default is only in the description: some generated clients send a schema's
 * `default`, and a channel has no settings.
 */
export function Setting(
  name: keyof typeof settingBounds,
  description: string,
  min: number = settingBounds[name].min,
): PropertyDecorator {
  const { max } = settingBounds[name];
  const property = { type: 'integer' as const, nullable: true, minimum: min, maximum: max, description };
  return applyDecorators(ApiPropertyOptional(property), IsOptional(), Max(max), Min(min), IsInt());
}

/** Declares the field `emit_on_deploy`. */
export const EmitOnDeploy = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      type: Boolean,
      nullable: true,
      description: 'false: `$emit` does nothing in the hooks `deploy` and `activate`',
    }),
    IsOptional(),
    IsBoolean(),
  );
