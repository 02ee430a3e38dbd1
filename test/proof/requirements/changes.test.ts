import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MOST_REQUIREMENTS, type Requirement } from '../../../schema/requirement.ts';
import {
  addRequirements,
  applyChanges,
  describeChanges,
  editRequirements,
} from '../../../src/proof/requirements/changes.ts';

const known: readonly Requirement[] = [
  { requirementId: 'R1', text: 'It is 42', criteria: ['c1'], setBy: 'model' },
  { requirementId: 'R2', text: 'It is fast', criteria: [], setBy: 'model' },
];

test('REQ-4 what the model adds gets new ids; doubles and what is too much are left out', () => {
  const wanted = [{ text: ' it is  FAST' }, { text: 'It is small' }];
  const list = addRequirements(known, wanted, 7, { setBy: 'model' });
  expect(list.slice(0, 2)).toEqual(known);
  expect(list.slice(2)).toMatchObject([{ requirementId: 'R8', text: 'It is small' }]);
  const flood = Array.from({ length: 100 }, (_, index) => ({ text: `No. ${index}` }));
  expect(addRequirements(known, flood, 2, { setBy: 'model' })).toHaveLength(MOST_REQUIREMENTS);
});

test('REQ-2 no addition of the model changes what stands', () => {
  const additions = fc.array(
    fc.record({ text: fc.string({ minLength: 1 }), criteria: fc.array(fc.string()) }),
  );
  fc.assert(
    fc.property(additions, (wanted) => {
      const list = addRequirements(known, wanted, 2, { setBy: 'model', late: true });
      expect(list.slice(0, known.length)).toEqual(known);
      expect(new Set(list.map(({ requirementId }) => requirementId)).size).toBe(list.length);
    }),
  );
});

test('REQ-3 an accepted change counts as the words of a person; what is gone stays gone', () => {
  const to = { text: 'It is quick', criteria: ['c2'] };
  const changes = [
    { requirementId: 'R2', to },
    { requirementId: 'R1', to: null },
    { requirementId: 'R9', to },
  ];
  expect(applyChanges(known, changes)).toEqual([{ requirementId: 'R2', ...to, setBy: 'person' }]);
  expect(describeChanges(known, changes)).toEqual([
    'R2 "It is fast" (checked by nobody) becomes "It is quick" (checked by c2)',
    'remove R1 "It is 42" (checked by c1)',
    'R9 becomes "It is quick" (checked by c2)',
  ]);
});

test('REQ-6 what a person edits is theirs, and the rest stays as it is', () => {
  const requirements = [
    { requirementId: 'R1', text: 'It is 42' },
    { requirementId: 'R2', text: 'It is fast', criteria: ['c1'] },
    { text: 'It is small' },
  ];
  expect(editRequirements(known, { requirements }, 2)).toEqual([
    known[0],
    { requirementId: 'R2', text: 'It is fast', criteria: ['c1'], setBy: 'person' },
    { requirementId: 'R3', text: 'It is small', criteria: [], setBy: 'person' },
  ]);
  expect(editRequirements(known, { removeRequirements: ['R2'] }, 2)).toEqual([known[0]]);
});
