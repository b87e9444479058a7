import { transformerContract } from './transformer.contract.ts';
import { FakeTransformer } from './transformer.fake.ts';

transformerContract(() => new FakeTransformer());
