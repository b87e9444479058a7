// The time span of a list of counts: aligned to its steps, bounded in number, by default the last ones.
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { millisMax } from '../../../../domain/message.ts';
import type { Millis } from '../../../../domain/message.ts';
import type { ApiProblem } from '../../http/api-problem.ts';
import { problemsOf } from '../../http/input/field-problem.ts';
import { AnyRequestDto } from '../../http/input/any-request.dto.ts';
import type { QueryForms } from '../../http/input/query-text.ts';

/** A day of minutes; two months of hours. */
export const stepsMax = 1_488;

export class SpanDto extends AnyRequestDto {
  static override readonly queryForms: QueryForms = { ...AnyRequestDto.queryForms, from: 'integer', to: 'integer' };

  @ApiPropertyOptional({ type: 'integer', format: 'int64', minimum: 0, description: 'Epoch ms; its whole step counts' })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(millisMax)
  readonly from?: number | null;

  @ApiPropertyOptional({ type: 'integer', format: 'int64', minimum: 0, description: 'Before then, epoch ms; now' })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(millisMax)
  readonly to?: number | null;
}

export interface Span {
  /** The beginning of the first step. */
  readonly from: Millis;
  /** The end of the last step. */
  readonly to: Millis;
  readonly stepMs: number;
}

/** `steps`: how many steps there are if `from` is not given. Throws ApiProblem 400. */
export function spanOf(
  { from, to }: SpanDto,
  step: { readonly ms: number; readonly steps: number },
  now: Millis,
): Span {
  const end = Math.ceil((to ?? now + 1) / step.ms) * step.ms;
  const begin = Math.floor((from ?? end - step.steps * step.ms) / step.ms) * step.ms;
  if (begin >= end) throw spanProblem('`from` must be before `to`');
  if ((end - begin) / step.ms > stepsMax)
    throw spanProblem(`\`from\` and \`to\` span ${(end - begin) / step.ms} steps; at most ${stepsMax} are given`);
  return { from: Math.max(0, begin), to: end, stepMs: step.ms };
}

/** One for each step, in order. */
export function stepsOf<T>({ from, to, stepMs }: Span, valueAt: (step: Millis) => T): T[] {
  return Array.from({ length: (to - from) / stepMs }, (_, at) => valueAt(from + at * stepMs));
}

const spanProblem = (message: string): ApiProblem => problemsOf([{ field: 'from', message }]);
