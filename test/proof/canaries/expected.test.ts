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

test.each([
  ['expect(send).toHaveBeenCalledTimes(3);', ['3']],
  ['expect(await all(1)).toHaveLength(2);', ['2']],
  ['expect(compare(of("x"), 4)).toHaveLength(2);', ['2']],
  ["expect(show(1)).toMatchInlineSnapshot('one');", ["'one'"]],
  ['expect(gaps(2)).to.have.lengthOf(3);', ['3']],
  ['assertThat(all(1)).hasSize(3);', ['3']],
  ['send.assert_called_once_with(3)', ['3']],
  ['expect(all(1)).not.toHaveLength(2);', []],
  ['expect(all(1)).toContain(2);', []],
])(
  'WORD-31: what a matcher that holds for one value alone says is expected: %s',
  (line, expected) => {
    expect(shown(line)).toEqual(expected);
  },
);

test.each([
  ["assert.equal(satisfies('1.2.9', '~1.2.3'), true);", ['true']],
  ["assert.equal(store.get('tea'), undefined);", ['undefined']],
  ["assert.equal(compare('1.0.0-rc.1', '1.0.0'), -1);", ['-1']],
  ["expect(compare(of('a'), 'b')).toBe(7);", ['7']],
  ["expect(isOn({ users: ['ada'] }, 'bo')).toBe(false);", ['false']],
  ['assert isOn("ada", 3) == False', ['False']],
  ["assert.equal(isDeepStrictEqual(of(1), 'one'), true);", ["'one'"]],
  ["expect(Object.is(of('x'), 'y')).toBe(true);", ["'y'"]],
])(
  'WORD-27: what the work says of what it is given is expected, and not what it is given: %s',
  (statement, expected) => {
    expect(shown(statement)).toEqual(expected);
  },
);

test.each([
  ["expect(send).toHaveBeenCalledWith('a', 3);", ["'a'", '3']],
  ["expect(notify).toHaveBeenCalledWith('a');", ["'a'"]],
  ['expect(notify).toHaveBeenCalledTimes(3);', ['3']],
  ["expect(of(1)).toHaveProperty('a.b', 3);", ["'a.b'", '3']],
  ['expect(of(1)).toMatchObject({ a: 3 });', ['{ a: 3 }']],
  ['await expect(later(1)).rejects.toMatchObject({ code: 3 });', ['{ code: 3 }']],
  ['await expect(later(1)).resolves.toBe(3);', ['3']],
  ["expect(of(1)).to.have.property('a', 3);", ["'a'", '3']],
  ["expect(of(1)).to.be.a('string', 'odd');", ["'string'"]],
  ["expect(screen.of(1)).toHaveTextContent('one');", ["'one'"]],
  ['expect(of(1)).toBeOwn(3);', ['3']],
  ['expect(of(1)).not.toBeOwn(3);', []],
  ['expect(of(1)).toBeGreaterThan(3);', []],
  ['expect(of(1)).toBeCloseTo(3.12);', []],
  ["expect(of(1)).toContain('a');", []],
  ["expect(() => of(1)).toThrow('a');", []],
  ["expect(of(1)).toMatchSnapshot('a');", []],
])(
  'WORD-37: what any matcher is given is expected, unless another value may hold: %s',
  (line, expected) => {
    expect(shown(line)).toEqual(expected);
  },
);

test.each([
  ['assert r.returncode != 0', []],
  ['assert.ok(of(1) !== 3);', []],
  ['assert!(of(1) != 3, "no");', []],
  ['assert(strcmp(of(1), "a") != 0);', []],
  ['ok(of(1) ne "a");', []],
  ['ok(of(1) eq "a");', ['"a"']],
  ['assert.ok(!(of(1) !== 3));', ['3']],
  ['assert of([x for x in all if x != 3]) == 4', ['3', '4']],
  ['if (of(1) !== 3) process.exit(1);', ['3']],
])('WORD-55: what must differ may differ from another value as well: %s', (line, expected) => {
  expect(shown(line)).toEqual(expected);
});
