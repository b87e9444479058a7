// The fake keeps the port's contract.
import { describePackages } from './packages.contract.ts';
import { FakePackages } from './packages.fake.ts';

describePackages('FakePackages', async (programs) => {
  return new FakePackages(new Map(programs.map(({ program, scripted }) => [program.code, scripted])));
});
