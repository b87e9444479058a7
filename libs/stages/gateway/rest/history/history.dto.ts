// The parameters of questions about history.
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsOptional, IsString, Matches, Max, MaxLength, Min } from 'class-validator';
import { signedTopics } from '../../../../domain/flow.ts';
import type { SignedTopic } from '../../../../domain/flow.ts';
import { millisMax } from '../../../../domain/message.ts';
import { historyCursorCharsMax } from '../../history/history-cursor.ts';
import { AnyRequestDto } from '../../http/input/any-request.dto.ts';
import type { QueryForms } from '../../http/input/query-text.ts';

const historyLimitMax = 1_000;
export const historyLimitDefault = 100;
const typeCharsMax = 100;

export class HistoryQuestionDto extends AnyRequestDto {
  static override readonly queryForms: QueryForms = { from: 'integer', to: 'integer' };

  @ApiPropertyOptional({ enum: signedTopics, description: 'Only the records of this topic' })
  @IsOptional()
  @IsIn(signedTopics)
  readonly topic?: SignedTopic | null;

  @ApiPropertyOptional({ type: String, description: 'Only records of this type, such as `SourceDeployed`' })
  @IsOptional()
  @IsString()
  @MaxLength(typeCharsMax)
  readonly type?: string | null;

  @ApiPropertyOptional({
    type: String,
    description:
      'Only records about the thing with this id: a source, webhook, subscription, event, run, delivery, API key, or any other',
  })
  @IsOptional()
  @Matches(/^[\w*-]{1,100}$/, { message: 'subject must be an id, such as dc_..., sub_... or key_...' })
  readonly subject?: string | null;

  @ApiPropertyOptional({
    type: String,
    description: 'Only what followed from one request or step: its `correlationid`',
  })
  @IsOptional()
  @Matches(/^[\w/-]{1,200}$/, { message: 'correlation_id must be the correlationid of a record' })
  readonly correlation_id?: string | null;

  @ApiPropertyOptional({ type: 'integer', format: 'int64', minimum: 0, description: 'From then on, epoch ms' })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(millisMax)
  readonly from?: number | null;

  @ApiPropertyOptional({ type: 'integer', format: 'int64', minimum: 0, description: 'Before then, epoch ms' })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(millisMax)
  readonly to?: number | null;
}

export class HistoryDto extends HistoryQuestionDto {
  static override readonly queryForms: QueryForms = { ...HistoryQuestionDto.queryForms, limit: 'integer' };

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: historyLimitMax, default: historyLimitDefault })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(historyLimitMax)
  readonly limit?: number | null;

  @ApiPropertyOptional({
    type: String,
    description: '`end_cursor` of the page before, or the id of a message of the stream, of the same question',
  })
  @IsOptional()
  @IsString()
  @MaxLength(historyCursorCharsMax)
  readonly after?: string | null;
}

export class HistoryStreamDto extends HistoryQuestionDto {
  @ApiPropertyOptional({
    type: String,
    description: 'Continue after the record with this id; the header `Last-Event-ID` takes precedence',
  })
  @IsOptional()
  @IsString()
  @MaxLength(historyCursorCharsMax)
  readonly after?: string | null;
}
