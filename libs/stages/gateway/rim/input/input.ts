// Reads a request's parameters, from the query string and the JSON body alike, into a validated DTO.
import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import { validateSync } from 'class-validator';
import type { ValidationError } from 'class-validator';
import type { FastifyRequest } from 'fastify';
import { checkWorkspace } from '../answer.ts';
import { callerOf } from '../api-key.guard.ts';
import { invalidRequest } from '../api-problem.ts';
import type { AnyRequestDto } from './any-request.dto.ts';
import { findJsonFault } from './json-bounds.ts';
import { fromQueryText } from './query-text.ts';
import type { QueryForms } from './query-text.ts';

/** A DTO class: plain fields with class-validator decorators; `queryForms` says which are not text in a query string. */
export interface InputClass<T extends object> {
  new (): T;
  readonly queryForms: QueryForms;
}

type Parameters = Readonly<Record<string, unknown>>;

/** Throws ApiProblem 400. */
export function readInput<T extends object>(dto: InputClass<T>, query: unknown, body: unknown): T {
  const fromQuery = queryParameters(dto.queryForms, (query ?? {}) as Parameters);
  const fromBody = bodyParameters(body);
  const twice = Object.keys(fromQuery).find((name) => Object.hasOwn(fromBody, name));
  if (twice !== undefined)
    throw problemOf([{ field: twice, message: `${twice} is in the query string and in the body` }]);
  const input = Object.assign(new dto(), fromQuery, fromBody);
  const faults = validateSync(input, { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: true });
  if (faults.length > 0) throw problemOf(faults.map(fieldProblem));
  return input;
}

function queryParameters(forms: QueryForms, query: Parameters): Parameters {
  const fault = findJsonFault(query);
  if (fault !== undefined) throw invalidRequest(`The query string is refused: ${fault}.`);
  const repeated = Object.keys(query).find((name) => typeof query[name] !== 'string');
  if (repeated !== undefined) throw problemOf([{ field: repeated, message: `${repeated} is given more than once` }]);
  return Object.fromEntries(
    Object.entries(query).map(([name, text]) => [
      name,
      fromQueryText(Object.hasOwn(forms, name) ? forms[name] : undefined, String(text)),
    ]),
  );
}

function bodyParameters(body: unknown): Parameters {
  if (body === undefined || body === null) return {};
  if (typeof body !== 'object' || Array.isArray(body)) throw invalidRequest('The body must be a JSON object.');
  return body as Parameters;
}

interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** One for each field: what has the wrong type breaks every bound as well. Validators run from the last decorator to the first. */
function fieldProblem({ property, constraints = {} }: ValidationError): FieldProblem {
  if (constraints['whitelistValidation'] !== undefined) {
    return { field: property, message: `${property} is not a parameter of this request` };
  }
  return { field: property, message: Object.values(constraints).at(-1) ?? `${property} is not valid` };
}

const problemOf = (problems: readonly FieldProblem[]): Error =>
  invalidRequest(`${problems.map(({ message }) => message).join('; ')}.`, {
    problems: problems.map(({ field, message }) => ({ field, message })),
  });

/** The parameters of the request, as an instance of the DTO; a workspace that is not the caller's does not exist. */
export const Input = createParamDecorator((dto: InputClass<AnyRequestDto>, context: ExecutionContext): object => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const input = readInput(dto, request.query, request.body);
  checkWorkspace(callerOf(request), input);
  return input;
});
