// All prop types by name (docs/reference/component-api.md, "The definition of a component").
import { apphookProp } from './apphook/apphook.ts';
import { httpRequestProp } from './http-request/http-request.ts';
import { alternativeTo } from './unsupported-types.ts';
import { alertProp } from './types/alert.ts';
import { anyProp } from './types/any.ts';
import { appProp } from './types/app.ts';
import { arrayOf } from './types/array.ts';
import { booleanProp } from './types/boolean.ts';
import { dataStoreProp } from './types/data-store.ts';
import { dbProp } from './types/db.ts';
import { dirProp } from './types/dir.ts';
import { httpInterfaceProp } from './types/interfaces/http-interface.ts';
import { integerProp } from './types/integer.ts';
import { objectProp } from './types/object.ts';
import type { PropType } from './types/prop-type.ts';
import { stringProp } from './types/string.ts';
import { timerInterfaceProp } from './types/interfaces/timer-interface.ts';

const elementTypes = new Map<string, PropType>([
  ['string', stringProp],
  ['integer', integerProp],
  ['boolean', booleanProp],
  ['object', objectProp],
  ['any', anyProp],
]);

const propTypes: ReadonlyMap<string, PropType> = new Map<string, PropType>([
  ...elementTypes,
  ...[...elementTypes].map(([name, type]) => [`${name}[]`, arrayOf(type)] as const),
  ['app', appProp],
  ['$.interface.http', httpInterfaceProp],
  ['$.interface.timer', timerInterfaceProp],
  ['$.interface.apphook', apphookProp],
  ['$.service.db', dbProp],
  ['data_store', dataStoreProp],
  ['alert', alertProp],
  ['dir', dirProp],
  ['http_request', httpRequestProp],
]);

export const propTypeOf = (name: string): PropType | undefined => propTypes.get(name);

export const propTypeNames: readonly string[] = [...propTypes.keys()];

/** Why no prop can be of this type; continues the words "has the type x, ". */
export function unknownType(type: string): string {
  const alternative = alternativeTo(type);
  return alternative === undefined
    ? `which is not known; there are ${propTypeNames.join(', ')}`
    : `which is not supported: ${alternative}`;
}

/** Whether its values are kept encrypted. */
export const isStoredSealed = ({ type, secret }: { readonly type: string; readonly secret?: boolean }): boolean =>
  secret === true || propTypeOf(type)?.sealed === true;

/** Whether props of this type never have a value. */
export const isValueless = ({ type }: { readonly type: string }): boolean => propTypeOf(type)?.valueless === true;
