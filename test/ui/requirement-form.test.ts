import { expect, test } from 'vitest';
import { expectationText, whereShown } from '../../src/ui/view/dispute-text.ts';
import {
  checkedByText,
  editsOf,
  rowOfRequirement,
  type ShownRequirement,
  strangeIds,
  uncheckedWords,
} from '../../src/ui/view/requirement-form.ts';

const shown = (change: Partial<ShownRequirement> = {}): ShownRequirement => ({
  requirementId: 'R1',
  text: 'It is 42',
  criteria: ['c1'],
  setBy: 'model',
  by: 'host',
  ...change,
});
const before = [shown(), shown({ requirementId: 'R2', text: 'It is fast', criteria: [] })];
const rows = before.map(rowOfRequirement);
const [first, second] = rows as [(typeof rows)[0], (typeof rows)[0]];

test('REQ-6 only what a person changed is sent, so that nothing of the model is lost', () => {
  expect(editsOf(before, rows)).toEqual({});
  expect(editsOf(before, [first])).toEqual({ removeRequirements: ['R2'] });
  const added = { key: 'x', text: ' It is small ', criteria: 'c1,c2' };
  const changed = [first, { ...second, criteria: 'c1' }, added, { ...added, key: 'y', text: ' ' }];
  expect(editsOf(before, changed)).toEqual({
    requirements: [
      { requirementId: 'R2', text: 'It is fast', criteria: ['c1'] },
      { text: 'It is small', criteria: ['c1', 'c2'] },
    ],
  });
});

test('REQ-5 an id that no criterion has is named before anything is sent', () => {
  const goal = { criteria: [{ criterionId: 'c1' }] } as never;
  expect(strangeIds({ ...first, criteria: 'c1, c9' }, goal)).toEqual(['c9']);
});

test('REQ-1 a requirement says who checks it', () => {
  expect(checkedByText(shown())).toBe('checked by the host (c1)');
  expect(checkedByText(shown({ by: 'nobody', criteria: [] }))).toBe('checked by nobody');
  expect(checkedByText(shown({ by: 'person', late: true }))).toContain('after the first write');
  expect(uncheckedWords([])).toBe('not split yet');
  expect(uncheckedWords([shown(), shown({ by: 'person' })])).toBe('each is checked');
  expect(uncheckedWords([shown(), shown({ by: 'nobody' })])).toBe('1 checked by nobody');
});

test('DIS-7 a dispute says where its counter-example shows', () => {
  expect(expectationText({ exit: 1, contains: 'no' })).toBe('exit 1 and “no” in its output');
  const where = (showsOnOriginal: boolean | null, showsOnNothing = false) =>
    whereShown({ showsOnOriginal, showsOnNothing });
  expect(where(true)).toContain('on the original as well');
  expect(where(false)).toContain('Beware');
  expect(where(null)).toContain('checkout');
  expect(where(true, true)).toContain('empty folder');
});
