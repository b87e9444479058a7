// A text that guest or host has split is joined unchanged by the other side.
import fc from 'fast-check';
import { joinTexts, splitText } from '../../guest/core/pieces.ts';
import { piecesMax, pieceUnits } from '../../wire.ts';
import { joinText, splitTexts } from './pieces.ts';

const long = fc.integer({ min: 1, max: 4 * pieceUnits }).map((length) => 'ä€'.repeat(length).slice(0, length));
const value = fc.oneof(fc.string(), long, fc.constant(undefined));
const passedThrough = fc.oneof(fc.boolean(), value);

it('joins every split text in the guest', () => {
  const property = fc.property(fc.array(passedThrough, { maxLength: 8 }), (args) => {
    const arrived: unknown[] = [...splitTexts(args)];
    const isShort = arrived.every((each) => typeof each !== 'string' || each.length <= pieceUnits);
    joinTexts(arrived);
    expect(arrived.slice(0, args.length)).toEqual(args);
    return isShort;
  });
  fc.assert(property);
});

it('joins the last long text in the host', () => {
  const property = fc.property(value, value, value, (...args) => {
    const sent = [...args];
    splitText(sent);
    expect(joinText(sent.slice(0, 3), sent.slice(3))).toEqual(args);
  });
  fc.assert(property);
});

it('splits no text that would take more pieces than are allowed', () => {
  const text = 'x'.repeat(pieceUnits * piecesMax + 1);
  expect(splitTexts([text])).toEqual([text]);
  expect(splitText([text])).toBe(false);
  expect(splitTexts([text.slice(1)])).toHaveLength(1 + piecesMax);
});
