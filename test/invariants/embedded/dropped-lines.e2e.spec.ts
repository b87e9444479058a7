import { renameRepeatedly } from '../../support/log-load.ts';
import { Product } from '../../support/product.ts';
import { UnreadPipe } from '../../support/processes/unread-pipe.ts';
import { until } from '../../support/until.ts';

/** They log 5 MiB, of which 4 are kept. */
const commands = 15_000;
const keptMinBytes = 4_000_000;
/** For one request on a busy machine. */
const answerMaxMs = 5_000;
const readMaxMs = 60_000;

const pipe = new UnreadPipe();
let product: Product;

beforeAll(async () => {
  product = await Product.start({ outputFd: pipe.writingEnd });
}, 60_000);

afterAll(async () => {
  await product.remove();
  await pipe.breakOff();
});

test('a reader that starts late gets whole lines in order, and one line that counts the dropped ones', async () => {
  expect(await renameRepeatedly(product, commands)).toBeLessThan(answerMaxMs);
  pipe.startReading();
  await until('what was kept', () => pipe.text.length > keptMinBytes && pipe.text.includes('"dropped"'), readMaxMs);
  expect(await renameRepeatedly(product, 10)).toBeLessThan(answerMaxMs);
  expect(await product.stop()).toBe(0);
  await until('the last line', () => pipe.text.endsWith('"msg":"stopped"}\n'));

  const lines = pipe.text.split('\n').filter((line) => line.startsWith('{'));
  const records = lines.map((line) => JSON.parse(line) as { time: string; dropped?: number });
  expect(records.map(({ time }) => time)).toEqual(records.map(({ time }) => time).toSorted());
  const dropped = records.flatMap((record) => record.dropped ?? []);
  expect(dropped).toEqual([expect.any(Number)]);
  expect(records.length + (dropped[0] ?? 0)).toBeGreaterThan(commands);
}, 240_000);
