// Reads a request's parameters from the query string and the JSON body into a validated DTO.
import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import { validateSync } from 'class-validator';
import type { ValidationError } from 'class-validator';
import type { FastifyRequest } from 'fastify';
import { checkWorkspace } from '../own-workspace.ts';
import { callerOf } from '../api-key.guard.ts';
import { invalidRequest } from '../api-problem.ts';
import { shortName } from '../json/text-fault.ts';
import type { AnyRequestDto } from './any-request.dto.ts';
import { problemsOf } from './field-problem.ts';
import type { FieldProblem } from './field-problem.ts';
import { knownParameters, needsValidation } from './known-parameters.ts';
import { queryParameters } from './query-parameters.ts';
import type { Parameters } from './query-parameters.ts';
import type { QueryForms } from './query-text.ts';

/** A DTO class: plain fields with class-validator decorators; `queryForms` has those that are not text in a query. */
export interface InputClass<T extends object> {
  new (): T;
  readonly queryForms: QueryForms;
}

const validatorOptions = { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: true };

/** Throws ApiProblem 400. Only known parameters reach the validator: a name like `constructor` never does. */
export function readInput<T extends object>(dto: InputClass<T>, query: unknown, body: unknown): T {
  const fromQuery = queryParameters(dto.queryForms, (query ?? {}) as Parameters);
  const fromBody = bodyParameters(body);
  const duplicate = [...fromQuery.keys()].find((name) => fromBody.has(name));
  if (duplicate !== undefined) {
    throw problemsOf([{ field: duplicate, message: `${duplicate} is in the query string and in the body` }]);
  }
  const parameters = new Map([...fromQuery, ...fromBody]);
  const known = knownParameters(dto);
  const unknown = [...parameters.keys()].filter((name) => !known.has(name)).map(unknownParameter);
  const knownEntries = [...parameters].filter(([name]) => known.has(name));
  const input = Object.assign(new dto(), Object.fromEntries(knownEntries));
  const isChecked = needsValidation(
    dto,
    knownEntries.map(([name]) => name),
  );
  const faults = isChecked ? validateSync(input, validatorOptions) : [];
  const problems = [...faults.map(fieldProblem), ...unknown];
  if (problems.length > 0) throw problemsOf(problems);
  return input;
}

function bodyParameters(body: unknown): ReadonlyMap<string, unknown> {
  if (body === undefined || body === null) return new Map();
  if (typeof body !== 'object' || Array.isArray(body)) throw invalidRequest('The body must be a JSON object.');
  return new Map(Object.entries(body));
}

function unknownParameter(name: string): FieldProblem {
  const field = shortName(name);
  return { field, message: `${field} is not a parameter of this request` };
}

/** One problem per field: a wrong type breaks every bound, too. Validators run from the last decorator to the first. */
const fieldProblem = ({ property, constraints = {} }: ValidationError): FieldProblem => ({
  field: property,
  message: Object.values(constraints).at(-1) ?? `${property} is not valid`,
});

/** The request's parameters, as an instance of the DTO; naming another workspace is a 404. */
export const Input = createParamDecorator((dto: InputClass<AnyRequestDto>, context: ExecutionContext): object => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const input = readInput(dto, request.query, request.body);
  checkWorkspace(callerOf(request), input);
  return input;
});
