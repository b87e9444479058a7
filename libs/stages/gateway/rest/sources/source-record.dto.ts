// A source as the API shows it (docs/reference/component-api.md, "Sources as records").
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import type { JsonObject } from '../../../../domain/json.ts';
import type { SourceState } from '../../../../domain/views/index.ts';
import { PropRecord } from '../code/prop-record.dto.ts';
import { ApiEpochMs, ApiEpochSeconds, ApiId } from '../../openapi/fields.ts';

const sourceStates: readonly SourceState[] = ['deploying', 'active', 'inactive', 'updating', 'refused', 'deleting'];

@ApiSchema({ name: 'Refusal' })
export abstract class RefusalRecord {
  @ApiProperty({ enum: ['component_invalid', 'props_invalid', 'hook_failed'] })
  abstract readonly code: string;

  @ApiProperty({ type: 'string', description: 'For people' })
  abstract readonly error: string;
}

@ApiSchema({ name: 'LastError', description: 'The run says more' })
export abstract class LastErrorRecord {
  @ApiProperty({ type: 'string', example: 'TypeError' })
  abstract readonly name: string;

  @ApiProperty({ type: 'string' })
  abstract readonly message: string;

  @ApiId('run')
  abstract readonly run_id: string;

  @ApiEpochMs({ description: 'When it began, epoch milliseconds' })
  abstract readonly at_ms: number;
}

@ApiSchema({ name: 'Source' })
export abstract class SourceRecord {
  @ApiId('dc')
  abstract readonly id: string;

  @ApiId('u')
  abstract readonly user_id: string;

  @ApiId('o', { description: 'The workspace' })
  abstract readonly owner_id: string;

  @ApiProperty({ enum: ['component', 'channel'], description: 'channel: it has no code, and its events are published' })
  abstract readonly kind: 'component' | 'channel';

  @ApiId('sc', {
    nullable: true,
    description: 'Of the saved component with this code, if there is one; null: of a channel',
  })
  abstract readonly component_id: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: "The component's own key", example: null })
  abstract readonly component_key: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: "The component's own version", example: '0.1.0' })
  abstract readonly version: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'SHA-256 of the code, in hex; null: of a channel' })
  abstract readonly code_hash: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      'Values by prop name: a secret as `[secret]`, an http interface as `{ endpoint_url }`, an apphook as `{ endpoint_url, event_names }`, a timer as `{ cron, interval_seconds }`. Empty until the component was described',
    example: { http: { endpoint_url: 'http://127.0.0.1:3000/e/4fJ0aQ9sXw2LmB7nTzR8kY' } },
  })
  abstract readonly configured_props: JsonObject;

  @ApiProperty({ type: [PropRecord] })
  abstract readonly configurable_props: readonly PropRecord[];

  @ApiProperty({
    type: 'boolean',
    nullable: true,
    description:
      'Its component has a `sampleEmit`; null: not known, since it was not described yet, or by a version that did not look. Requesting a sample then shows it',
  })
  abstract readonly has_sample: boolean | null;

  @ApiProperty({
    type: 'boolean',
    description: 'Whether it takes requests and its timer ticks; also while it is updated',
  })
  abstract readonly active: boolean;

  @ApiProperty({ enum: sourceStates, example: 'active' })
  abstract readonly state: SourceState;

  @ApiProperty({ type: 'string', nullable: true, example: 'Greeter' })
  abstract readonly name: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'Unique in the workspace', example: 'greeter' })
  abstract readonly name_slug: string | null;

  @ApiProperty({ type: 'integer', description: 'The longest that a run may take', example: 60_000 })
  abstract readonly timeout_ms: number;

  @ApiProperty({ type: 'integer', description: 'Of its isolate', example: 128 })
  abstract readonly memory_mb: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Requests to its endpoint a second that each gateway process takes; null: any number',
    example: null,
  })
  abstract readonly rate_limit: number | null;

  @ApiProperty({ type: 'integer', description: 'How many of its runs may be under way at once', example: 1 })
  abstract readonly concurrency: number;

  @ApiProperty({ type: 'boolean', description: 'Whether its hooks `deploy` and `activate` may emit' })
  abstract readonly emit_on_deploy: boolean;

  @ApiEpochSeconds()
  abstract readonly created_at: number;

  @ApiEpochSeconds()
  abstract readonly updated_at: number;

  @ApiEpochMs({
    nullable: true,
    description: 'When its timer is due next; null: it has none, is inactive, or the time is not known yet',
  })
  abstract readonly next_run_at_ms: number | null;

  @ApiEpochMs({
    nullable: true,
    description: 'When its last run or hook began, checks of code aside; null without one that is kept',
  })
  abstract readonly last_run_at_ms: number | null;

  @ApiEpochMs({
    nullable: true,
    description: 'Of its newest event on a channel that does not begin with `$`; null without one that is kept',
  })
  abstract readonly last_event_at_ms: number | null;

  @ApiProperty({
    type: LastErrorRecord,
    nullable: true,
    description: 'Of its last run or hook that failed, checks of code aside',
  })
  abstract readonly last_error: LastErrorRecord | null;

  @ApiPropertyOptional({ type: RefusalRecord, description: 'Why the last deploy, update or delete was refused' })
  abstract readonly refusal?: RefusalRecord;
}

@ApiSchema({ name: 'Observation', description: "A line of a hook's console" })
export abstract class Observation {
  @ApiProperty({ type: 'string', description: '`console.` and the level', example: 'console.log' })
  abstract readonly k: string;

  @ApiEpochMs()
  abstract readonly ts: number;

  @ApiProperty({ type: 'string', example: 'deployed' })
  abstract readonly msg: string;
}

@ApiSchema({ name: 'DeployedSource' })
export abstract class DeployedSourceRecord extends SourceRecord {
  @ApiProperty({ type: [Observation], description: 'What the hooks wrote to their console' })
  abstract readonly observations: readonly Observation[];
}
