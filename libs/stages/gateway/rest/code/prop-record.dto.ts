// A prop of a component as the API shows it (docs/reference/component-api.md, "The definition of a component").
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { propFieldNames, propFields } from '../../../../domain/component/prop-fields.ts';
import type { FieldKind, PropFields } from '../../../../domain/component/prop-fields.ts';
import { ApiAnyJson } from '../../openapi/fields.ts';

/** Further fields are those of `PropFields`, which are declared below. */
@ApiSchema({ name: 'ConfigurableProp', description: 'A prop as the component declares it' })
export abstract class PropRecord {
  @ApiProperty({ type: 'string', example: 'http' })
  abstract readonly name: string;

  @ApiProperty({ type: 'string', example: '$.interface.http' })
  abstract readonly type: string;
}

/** Descriptions for what a field's name does not tell. */
const descriptions: { readonly [Field in keyof PropFields]: string } = {
  remoteOptions: 'Its options are a function',
  withLabel: 'The component reads `{ label, value }`',
  app: 'Slug of an app',
  static: 'A setting that nobody may edit',
  reloadProps: 'Other values of it may mean other props: ask for them again',
  dynamic: "It comes from the component's `additionalProps`",
  useQuery: 'Its options are searched by what somebody types',
  alertType: '`info`, `neutral`, `warning` or `error`, of an alert',
  content: 'Markdown that an alert shows',
  appProp: 'Of an apphook: the prop with the app',
  eventNames: 'Of an apphook: the events that it takes',
  remoteEventNames: 'Its eventNames are a function',
  format: '`file-ref`: a path or a URL',
  accessMode: '`read`, `write` or `read-write`, of a dir',
  sync: 'Of a dir: whether the hosted service copies it',
};

type Described = { readonly description: string } | Record<string, never>;

const schemas: { readonly [Kind in FieldKind]: (described: Described) => PropertyDecorator } = {
  string: (described) => ApiPropertyOptional({ type: 'string', ...described }),
  boolean: (described) => ApiPropertyOptional({ type: 'boolean', ...described }),
  number: (described) => ApiPropertyOptional({ type: 'number', ...described }),
  // Without a type the library assumes a circular reference.
  json: (described) => ApiAnyJson({ required: false, type: Object, ...described }),
  list: (described) => ApiPropertyOptional({ type: 'array', items: {}, ...described }),
  object: (described) => ApiPropertyOptional({ type: 'object', additionalProperties: true, ...described }),
};

for (const name of propFieldNames) {
  const description = descriptions[name];
  schemas[propFields[name]](description === undefined ? {} : { description })(PropRecord.prototype, name);
}
