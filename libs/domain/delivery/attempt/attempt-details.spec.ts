import { boundedHeaders, maskAnswer, maskHeaders } from './attempt-details.ts';

test('the values that an owner has set are masked, whatever the case of their names', () => {
  const sent = { 'webhook-id': 'msg_1', Authorization: 'Bearer x', 'x-team': 'blue' };
  expect(maskHeaders(sent, { authorization: 'Bearer x', 'X-Team': 'blue' })).toEqual({
    'webhook-id': 'msg_1',
    Authorization: '[secret]',
    'x-team': '[secret]',
  });
});

test('headers are kept from the first one on, up to a bound in bytes', () => {
  const headers = Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`x-${i}`, ['\u0001'.repeat(20), 'b']]));
  const bounded = boundedHeaders(headers, 16_384);
  expect(Object.keys(bounded).slice(0, 2)).toEqual(['x-0', 'x-1']);
  expect(Buffer.byteLength(JSON.stringify(bounded))).toBeLessThanOrEqual(16_384);
  expect(boundedHeaders({ a: 'b' }, 16_384)).toEqual({ a: 'b' });
  expect(boundedHeaders({ a: 'x'.repeat(20_000) }, 16_384)).toEqual({});
});

test('a value that the owner has set is masked wherever the receiver repeats it, with its token alone too', () => {
  const fixed = { Authorization: 'Bearer t0ken-of-the-owner', 'x-key': 'k3y-of-the-owner', accept: 'application/json' };
  const answered = {
    answer: '{"you sent":"Bearer t0ken-of-the-owner","key":"k3y-of-the-owner","type":"application/json"}',
    headers: { 'x-echo': 't0ken-of-the-owner', 'set-cookie': ['a=k3y-of-the-owner', 'b=2'] },
    status: 500,
  };
  expect(maskAnswer(answered, fixed)).toEqual({
    answer: '{"you sent":"[secret]","key":"[secret]","type":"application/json"}',
    headers: { 'x-echo': '[secret]', 'set-cookie': ['a=[secret]', 'b=2'] },
    status: 500,
  });
  expect(maskAnswer(answered, {})).toBe(answered);
});
