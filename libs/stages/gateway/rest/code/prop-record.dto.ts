// A prop of a component as the API shows it (docs/reference/component-api.md, "Props").
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import type { Json, JsonObject } from '../../../../domain/json.ts';
import { ApiAnyJson } from '../../openapi/fields.ts';

@ApiSchema({ name: 'ConfigurableProp', description: 'A prop as the component declares it' })
export abstract class PropRecord {
  @ApiProperty({ type: 'string', example: 'http' })
  abstract readonly name: string;

  @ApiProperty({ type: 'string', example: '$.interface.http' })
  abstract readonly type: string;

  @ApiPropertyOptional({ type: 'string' })
  abstract readonly label?: string;

  @ApiPropertyOptional({ type: 'string' })
  abstract readonly description?: string;

  @ApiPropertyOptional({ type: 'boolean' })
  abstract readonly optional?: boolean;

  @ApiPropertyOptional({ type: 'boolean' })
  abstract readonly secret?: boolean;

  @ApiAnyJson({ required: false })
  abstract readonly default?: Json;

  @ApiPropertyOptional({ type: 'array', items: {} })
  abstract readonly options?: readonly Json[];

  @ApiPropertyOptional({ type: 'number' })
  abstract readonly min?: number;

  @ApiPropertyOptional({ type: 'number' })
  abstract readonly max?: number;

  @ApiPropertyOptional({ type: 'boolean' })
  abstract readonly customResponse?: boolean;

  @ApiPropertyOptional({ type: 'boolean', description: 'Its options are a function' })
  abstract readonly remoteOptions?: boolean;

  @ApiPropertyOptional({ type: 'boolean' })
  abstract readonly withLabel?: boolean;

  @ApiPropertyOptional({ type: 'string', description: 'Slug of an app' })
  abstract readonly app?: string;

  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  abstract readonly static?: JsonObject;

  @ApiPropertyOptional({ type: 'boolean', description: 'Other values of it may mean other props: ask for them again' })
  abstract readonly reloadProps?: boolean;

  @ApiPropertyOptional({ type: 'boolean', description: "It comes from the component's `additionalProps`" })
  abstract readonly dynamic?: boolean;

  @ApiPropertyOptional({ type: 'boolean' })
  abstract readonly hidden?: boolean;

  @ApiPropertyOptional({ type: 'boolean' })
  abstract readonly disabled?: boolean;

  @ApiPropertyOptional({ type: 'boolean', description: 'Its options are searched by what somebody types' })
  abstract readonly useQuery?: boolean;

  @ApiPropertyOptional({ type: 'string', description: '`info`, `neutral`, `warning` or `error`, of an alert' })
  abstract readonly alertType?: string;

  @ApiPropertyOptional({ type: 'string', description: 'Markdown that an alert shows' })
  abstract readonly content?: string;

  @ApiPropertyOptional({ type: 'string', description: 'Of an apphook: the prop with the app' })
  abstract readonly appProp?: string;

  @ApiPropertyOptional({ type: 'array', items: {}, description: 'Of an apphook: the events that it takes' })
  abstract readonly eventNames?: readonly Json[];

  @ApiPropertyOptional({ type: 'boolean', description: 'Its eventNames are a function' })
  abstract readonly remoteEventNames?: boolean;

  @ApiPropertyOptional({ type: 'string', description: '`file-ref`: a path or a URL' })
  abstract readonly format?: string;
}
