// Cursors: unpadded base64 of a record's id (docs/reference/component-api.md, "REST records"), or an event's plain id.
import { ApiProblem } from '../api-problem.ts';
import { problemOfField } from '../input/field-problem.ts';

const base64Pattern = /^[A-Za-z0-9+/_-]+={0,2}$/;

export const cursorOfId = (id: string): string => Buffer.from(id).toString('base64').replace(/=+$/, '');

/** Throws ApiProblem 400 unless it decodes to text that `isId` accepts. */
export function idOfCursor(cursor: string, isId: (text: string) => boolean): string {
  const id = base64Pattern.test(cursor) ? Buffer.from(cursor, 'base64').toString('latin1') : '';
  if (!isId(id)) throw badCursor();
  return id;
}

export const eventIdPattern = /^\d{1,15}-\d{1,15}$/;

export const isEventId = (text: string): boolean => eventIdPattern.test(text);

/** A 400 about a cursor. */
export class CursorProblem extends ApiProblem {
  readonly #reason: string;

  /** `field`: the parameter that held the cursor. */
  constructor(reason: string, field = 'after') {
    super(400, 'invalid_request', `${reason}.`, { details: problemOfField(field, reason) });
    this.#reason = reason;
  }

  forField(field: string): CursorProblem {
    return new CursorProblem(this.#reason, field);
  }
}

export const badCursor = (): CursorProblem =>
  new CursorProblem('The cursor is not one of this list: take one from its page_info');

/** For a cursor whose record is gone and no longer remembered. */
export const expiredCursor = (): CursorProblem =>
  new CursorProblem('The record that the cursor names is gone: begin again without a cursor');
