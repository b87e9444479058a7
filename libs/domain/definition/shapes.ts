// The shapes of kept requests, and of the fields that all definitions have.
import { flag, ident, millis, natural, nullable, object, oneOf, optional, text } from '../shape/checks.ts';
import type { ShapesOf } from '../shape/shapes.ts';
import { componentError, propProblems } from '../component/shapes.ts';
import type { DeployRefusal } from './deploy-refusal.ts';
import type { AnswerEvent, DefinitionsEvent, MadeBy } from './messages.ts';

/** Fields of every creating command. */
export const repeatable = { fingerprint: nullable(text), requestKey: optional(ident) };

const madeByShape = { key: ident, fingerprint: text, answeredAt: millis };
/** The request that made the thing that a definition describes. */
export const madeBy = nullable(object<MadeBy>(madeByShape));
export const creationFields = { createdAt: millis, madeBy };
export const definitionsEvents: ShapesOf<DefinitionsEvent> = { DefinitionsFolded: { format: natural } };

export const sourceRefusal = oneOf(
  'repeated',
  'idempotency_conflict',
  'source_not_found',
  'busy',
  'component_invalid',
  'props_invalid',
  'hook_failed',
  'malformed',
);

/** The fields of `deployRefusal`. */
export const refusalFields = {
  reason: sourceRefusal,
  message: text,
  error: optional(componentError),
  problems: optional(propProblems),
};
/** Why a deploy or an update was refused. */
export const deployRefusal = object<DeployRefusal>(refusalFields);

export const answerEvents: ShapesOf<AnswerEvent> = {
  AnswerKept: {
    ...madeByShape,
    id: ident,
    refusal: nullable(deployRefusal),
    stands: optional(flag),
  },
};
