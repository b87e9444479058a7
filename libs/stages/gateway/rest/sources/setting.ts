// A setting of a source in a request: an integer within its bounds.
import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { settingBounds, settingsOf } from '../../../../domain/component/settings/source-settings.ts';
import type { SourceSettings } from '../../../../domain/component/settings/source-settings.ts';
import type { QueryForms } from '../../http/input/query-text.ts';

/** Their forms in a query string. */
export const settingForms = {
  timeout_ms: 'integer',
  memory_mb: 'integer',
  rate_limit: 'integer',
  concurrency: 'integer',
} as const satisfies QueryForms;

type Asked = { readonly [Field in keyof typeof settingForms]?: number | null };

/** Undefined: the request has no settings. */
export const askedSettings = (asked: Asked): SourceSettings | undefined =>
  settingsOf({
    timeoutMs: asked.timeout_ms,
    memoryMb: asked.memory_mb,
    rateLimit: asked.rate_limit,
    concurrency: asked.concurrency,
  });

/** `min`: overrides the usual minimum. */
export function Setting(
  name: keyof SourceSettings,
  description: string,
  min: number = settingBounds[name].min,
): PropertyDecorator {
  const { min: _usual, max, ...rest } = settingBounds[name];
  const property = { type: 'integer' as const, nullable: true, minimum: min, maximum: max, description, ...rest };
  return applyDecorators(ApiPropertyOptional(property), IsOptional(), Max(max), Min(min), IsInt());
}
