import { afterAll, expect, test } from 'vitest';
import { createArgumentChecker } from '../../src/mcp/argument-checker.ts';
import { schemaFault } from '../../src/mcp/schema-limits.ts';

const checker = createArgumentChecker(300);
afterAll(() => checker.close());

const object = (properties: object) => ({ type: 'object', properties });

/** How often this thread came to its other work meanwhile. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 5);
  await work;
  clearInterval(timer);
  return turns;
}

test('MCP-8 a pattern that never ends is given up, named, and holds nobody up', async () => {
  const schema = object({ word: { type: 'string', pattern: '^(a+)+$' } });
  const check = checker.check(schema, { word: `${'a'.repeat(60)}!` });
  const after = checker.check(schema, { word: 'aaa' });
  // Held up, it would come to none before the check is over.
  expect(await turnsDuring(check)).toBeGreaterThan(3);
  expect(await check).toEqual({ ok: false, overrun: 'pattern' });
  expect(await after).toEqual({ ok: true, args: { word: 'aaa' } });
});

test('MCP-8 references that double the work at each level are given up and named', async () => {
  const twice = (level: number) => ({ $ref: `#/$defs/d${level}` });
  const levels = Array.from({ length: 30 }, (_, level): [string, object] => [
    `d${level}`,
    { allOf: [twice(level + 1), twice(level + 1)] },
  ]);
  const $defs = { ...Object.fromEntries(levels), d30: { type: 'string' } };
  const answer = await checker.check({ ...object({ x: twice(0) }), $defs }, { x: 'a' });
  expect(answer).toEqual({ ok: false, overrun: '$ref, allOf' });
});

test('MCP-8 what is wrong with arguments is told by field, and an unreadable schema lets pass', async () => {
  const schema = object({ order: { type: 'integer', minimum: 1 } });
  const wrong = await checker.check(schema, { order: 'seven' });
  expect(wrong).toMatchObject({ ok: false, issues: [{ path: ['order'] }] });
  const unreadable = object({ a: { type: 'string', pattern: '(' } });
  expect(await checker.check(unreadable, { a: 'b' })).toEqual({ ok: true, args: { a: 'b' } });
});

test('MCP-9 a schema of any depth is refused with its keyword, without a crash', () => {
  const text = `${'{"items":'.repeat(100_000)}{}${'}'.repeat(100_000)}`;
  expect(schemaFault(JSON.parse(text))).toMatchObject({ keyword: 'items' });
  expect(schemaFault(object({ a: { anyOf: [{ type: 'string' }] } }))).toBeNull();
});
