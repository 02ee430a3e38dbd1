import { expect, test } from 'vitest';
import { expectedIn } from '../../../src/proof/canaries/expected.ts';

const shown = (text: string) => expectedIn(text).map(([from, to]) => text.slice(from, to).trim());

test.each([
  ['assert.equal(add(2, 3), 5);', ['5']],
  ["assert.equal(plural('child'), 'children', 'odd, too');", ["'children'"]],
  ['assert plural("child") == "children", "odd"', ['"children"']],
  ['self.assertEqual(plural("child"), "children")', ['"children"']],
  ['assertEquals(5, add(2, 3));', ['5']],
  ["expect(plural('child')).toBe('children')", ["'children'"]],
  ["expect(plural('child')).toEqual({ a: 1, b: [2] })", ['{ a: 1, b: [2] }']],
  ['assert_eq!(plural("child"), "children", "odd");', ['"children"']],
  ["is(Plural::plural('child'), 'children', 'odd');", ["'children'"]],
  ['if Of("child") != "children" {', ['"children"']],
  ["if ((await plural('child')) !== 'children') throw new Error('child');", ["'children'"]],
  ['assert(strcmp(plural("child"), "children") == 0);', ['"children"']],
  ['assert(it(3) == 10);', ['10']],
  ['[ "$(sh add.sh 2 3)" = 5 ] || exit 1', ['5']],
  ['test "$(plural child)" = children || { echo no; exit 1; }', ['children']],
  ['expect(a).toBe(1) || expect(b).toBe(2)', []],
  ['assert it(3) == 10 or it(4) == 9', []],
  ['assertAlmostEqual(half(5), 2.5)', []],
  ['assert.notEqual(add(2, 3), 5);', []],
  ['assert.throws(() => add(1), 5)', []],
  ['assert.ok(isWeek(53))', []],
])('%s', (statement, expected) => {
  expect(shown(statement)).toEqual(expected);
});
