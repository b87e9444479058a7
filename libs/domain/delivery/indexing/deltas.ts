// Encodes rising numbers as deltas: the first number, then the difference of each to the one before it.

export function deltasOf(numbers: readonly number[]): readonly number[] {
  let last = 0;
  return numbers.map((number) => {
    const delta = number - last;
    last = number;
    return delta;
  });
}

export function fromDeltas(deltas: readonly number[]): readonly number[] {
  let last = 0;
  return deltas.map((delta) => (last += delta));
}
