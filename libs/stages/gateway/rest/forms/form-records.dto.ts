// The answers to forms (docs/api.md, "Forms").
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import type { Json } from '../../../../domain/json.ts';
import { ApiAnyJson } from '../../openapi/fields.ts';
import { PropRecord } from '../code/prop-record.dto.ts';
import { Observation } from '../sources/source-record.dto.ts';

@ApiSchema({ name: 'PropOption' })
export abstract class OptionRecord {
  @ApiProperty({ type: 'string' })
  abstract readonly label: string;

  @ApiAnyJson()
  abstract readonly value: Json;
}

/** The fields of both answers. */
abstract class AnswerRecord {
  @ApiProperty({ type: [Observation], description: 'What the component wrote to its console' })
  abstract readonly observations: readonly Observation[];

  @ApiProperty({ type: 'array', items: { type: 'string' }, description: 'Always empty: an error is refused with 400' })
  abstract readonly errors: readonly string[];
}

@ApiSchema({ name: 'PropOptions' })
export abstract class OptionsRecord extends AnswerRecord {
  @ApiPropertyOptional({ type: [OptionRecord], description: 'Absent if all options are plain texts' })
  abstract readonly options?: readonly OptionRecord[];

  @ApiPropertyOptional({ type: [String], description: 'Options that are plain texts. An empty page has them too' })
  abstract readonly string_options?: readonly string[];

  @ApiAnyJson({ description: 'To be sent as `prev_context` with the next page' })
  abstract readonly context: Json;
}

@ApiSchema({ name: 'DynamicProps' })
export abstract class DynamicProps {
  @ApiProperty({ type: 'string', description: 'The same props have the same one' })
  abstract readonly id: string;

  @ApiProperty({ type: [PropRecord], description: 'All props there are, those of `additionalProps` marked `dynamic`' })
  abstract readonly configurable_props: readonly PropRecord[];
}

@ApiSchema({ name: 'PropsForValues' })
export abstract class DynamicPropsRecord extends AnswerRecord {
  @ApiProperty({ type: DynamicProps })
  abstract readonly dynamic_props: DynamicProps;
}
