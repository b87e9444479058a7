// The parameters of the list of a source's runs.
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import type { RunOutcome } from '../../../../../domain/channel/messages.ts';
import type { TriggerKind } from '../../../../../domain/source/messages.ts';
import { PagingDto } from '../../../http/pages/paging.dto.ts';
import type { QueryForms } from '../../../http/input/query-text.ts';
import { millisMax } from '../../../../../domain/message.ts';

/** The type ensures that this list is complete. */
const kinds: Readonly<Record<TriggerKind, true>> = {
  describe: true,
  event_names: true,
  deploy: true,
  activate: true,
  deactivate: true,
  http: true,
  apphook: true,
  manual: true,
  event: true,
  timer: true,
  emit: true,
  sample: true,
  configure: true,
  props: true,
};
const outcomes: Readonly<Record<RunOutcome, true>> = { succeeded: true, failed: true, refused: true };
const runKinds = Object.keys(kinds) as readonly TriggerKind[];
export const runOutcomes = Object.keys(outcomes) as readonly RunOutcome[];

export class RunsDto extends PagingDto {
  static override readonly queryForms: QueryForms = { ...PagingDto.queryForms, from: 'integer', to: 'integer' };

  @ApiPropertyOptional({ enum: runKinds })
  @IsOptional()
  @IsIn(runKinds)
  readonly kind?: TriggerKind;

  @ApiPropertyOptional({ enum: runOutcomes })
  @IsOptional()
  @IsIn(runOutcomes)
  readonly outcome?: RunOutcome;

  @ApiPropertyOptional({ type: 'integer', format: 'int64', minimum: 0, description: 'Begun then, epoch ms, or later' })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(millisMax)
  readonly from?: number;

  @ApiPropertyOptional({ type: 'integer', format: 'int64', minimum: 0, description: 'Begun before then, epoch ms' })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(millisMax)
  readonly to?: number;
}
