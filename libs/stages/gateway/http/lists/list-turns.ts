// For routes that give pages of the views: they are read workspace by workspace in turn, a few at once.
import { createParamDecorator, Inject, Injectable } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { callerOf } from '../api-key.guard.ts';
import type { Away } from '../limits/fair-turns.ts';
import { ListAnswers } from './list-answers.ts';
import type { List } from './list-bytes.ts';

const turns = new WeakMap<FastifyRequest, Away>();

/** To wait for something without the turn in which a list is read. */
export const TurnAway = createParamDecorator((_data: unknown, context: ExecutionContext): Away => {
  const away = turns.get(context.switchToHttp().getRequest<FastifyRequest>());
  if (away === undefined) throw new Error('a controller without ListTurns asked for its turn');
  return away;
});

/** What waits does so by `TurnAway`: otherwise it would keep its turn meanwhile. */
@Injectable()
export class ListTurns implements NestInterceptor {
  readonly #answers: ListAnswers;

  constructor(@Inject(ListAnswers) answers: ListAnswers) {
    this.#answers = answers;
  }

  intercept(context: ExecutionContext, next: CallHandler<List>): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const page = (away: Away): Promise<List> => {
      turns.set(request, away);
      return lastValueFrom(next.handle());
    };
    return from(this.#answers.write(request.raw, callerOf(request).workspace, page));
  }
}
