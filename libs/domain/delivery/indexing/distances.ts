// Encodes rising numbers as distances: the first number, then the difference of each to the one before it.

export function distancesOf(numbers: readonly number[]): readonly number[] {
  let last = 0;
  return numbers.map((number) => {
    const distance = number - last;
    last = number;
    return distance;
  });
}

export function fromDistances(distances: readonly number[]): readonly number[] {
  let last = 0;
  return distances.map((distance) => (last += distance));
}
