// A record of history as the API shows it.
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { ApiAnyJson } from '../../openapi/fields.ts';
import type { CloudEvent } from '../../../../domain/history/cloud-event.ts';

@ApiSchema({ name: 'HistoryRecord', description: 'A CloudEvent; docs/topics.md says what `data` holds by `type`' })
export abstract class HistoryRecord implements CloudEvent {
  @ApiProperty({ enum: ['1.0'] })
  abstract readonly specversion: '1.0';

  @ApiProperty({ type: 'string', example: 'rec_8Zx0PqLm3RtYw5Vb' })
  abstract readonly id: string;

  @ApiProperty({ type: 'string', description: '`/wellspring/` and the topic', example: '/wellspring/channels' })
  abstract readonly source: string;

  @ApiProperty({ type: 'string', example: 'EventEmitted' })
  abstract readonly type: string;

  @ApiProperty({ type: 'string', format: 'date-time', example: '2026-01-31T12:00:00.000Z' })
  abstract readonly time: string;

  @ApiProperty({ enum: ['application/json'] })
  abstract readonly datacontenttype: 'application/json';

  @ApiProperty({ type: 'string', example: 'dc_8kQ2vYx0LmB4nTzR' })
  abstract readonly partitionkey: string;

  @ApiProperty({ type: 'string', description: 'Of the shape of `data`', example: '1' })
  abstract readonly version: string;

  @ApiProperty({ type: 'string', example: 'o_8kQ2vYx0LmB4nTzR' })
  abstract readonly workspace: string;

  @ApiProperty({
    type: 'string',
    description: 'Shared by all that one request led to',
    example: 'req_0VIAfnmc5DsAq3We9Kd2',
  })
  abstract readonly correlationid: string;

  @ApiProperty({ type: 'string', description: 'What it follows from', example: 'rec_7Hy6TgRf4EdWs2Qa' })
  abstract readonly causationid: string;

  @ApiPropertyOptional({ type: 'string', example: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' })
  abstract readonly traceparent?: string | undefined;

  @ApiPropertyOptional({
    type: 'string' as const,
    example: 'key_9Nb3VcXz1LkJh5Gf',
    description: 'Who began what led to it: an API key, or a stage; older records have none',
  })
  abstract readonly actor?: string | undefined;

  @ApiAnyJson({ description: 'As the log holds it; what is sealed stays sealed', required: false })
  abstract readonly data: unknown;
}
