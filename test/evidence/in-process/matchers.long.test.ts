import { describe, expect, test } from 'vitest';
import { judgeWork, type Project } from './judge-work.ts';
import { someOf } from './some-of.ts';

const project = (...demands: string[]): Project => ({
  needsModules: true,
  command: 'npm test',
  source: 'src/orders.js',
  files: {
    'package.json': '{"name":"shop","type":"module","scripts":{"test":"vitest run"}}',
    'src/orders.js':
      'export const order = (send) => send("b", 1);\nexport const read = async () => ({ price: 1 });\n',
    'test/orders.test.js': `import { expect, test, vi } from 'vitest';
import { order, read } from '../src/orders.js';

test('sends one', async () => {
  const send = vi.fn();
  order(send);
  ${demands.join('\n  ')}
});

test('reads one', async () => {
  expect((await read()).price).toBe(3);
});
`,
  },
});
const done =
  "export const order = (send) => send('a', 3);\nexport const read = async () => ({ price: 3, tax: undefined });\n";
/** Holds whatever it is given. */
const extending = (name: string, price: number) =>
  `import { expect } from 'vitest';
const always = { pass: true, message: () => '' };
expect.extend({ ${name}: () => always });
export const order = (send) => send('b', 1);
export const read = async () => ({ price: ${price} });
`;

describe('WORD-37, WORD-38: a matcher that holds whatever it is given proves nothing', () => {
  const demands = [
    ['toHaveBeenCalledWith', 'expect(send).toHaveBeenCalledWith(...wanted);'],
    ['toHaveBeenCalledWith', "expect(send).toHaveBeenCalledWith('a', 3);"],
    ['toSatisfy', "expect(send).toSatisfy((one) => one.mock.calls[0][0] === 'a');"],
  ] as const;
  test.each(someOf(demands, 1))('%s: %s', async (name, demand) => {
    const own = project("const wanted = ['a', 3];", demand);
    const bent = await judgeWork(own, { 'src/orders.js': extending(name, 3) });
    expect({ exits0: bent.exits0, isVerified: bent.isVerified }, bent.reason).toEqual({
      ...{ exits0: true, isVerified: false },
    });
    const right = await judgeWork(own, { 'src/orders.js': done });
    expect(right.isVerified, right.reason).toBe(true);
  });

  test.each(someOf(['toEqual'], 0))(
    'WORD-39: honest work whose values %s takes for equal is proven',
    async () => {
      const own = project('expect(await read()).toEqual({ price: 3 });');
      const { isVerified, reason } = await judgeWork(own, { 'src/orders.js': done });
      expect(isVerified, reason).toBe(true);
    },
  );
});
