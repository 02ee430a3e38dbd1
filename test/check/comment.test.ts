import { describe, expect, test } from 'vitest';
import { checkResultSchema } from '../../schema/check-result.ts';
import type { TrackedCriterion } from '../../schema/criteria.ts';
import type { ShownChange } from '../../schema/proof-change.ts';
import { acceptance, ofPackages } from '../../src/check/accept.ts';
import { commentOf, MARKER } from '../../src/check/comment.ts';
import { conclude, type Facts } from '../../src/check/conclude.ts';
import type { CriterionEvidence } from '../../src/contract/evidence.ts';

const evil = '`</code>\n# @everyone\n```\n![x](https://e.example/x)| <img src=x> \u202e';
const result = checkResultSchema.parse({
  ...{ status: 'needs_person', exitCode: 2, summary: evil, wayOut: evil, repository: '/r' },
  base: { commit: 'a'.repeat(40), why: evil },
  ...{ head: null, terms: null },
  scope: { change: [evil], keep: [], setBy: 'host', base: null, why: [] },
  criteria: [
    {
      ...{ criterionId: 'c1', baseline: 'unmet', state: 'unmet', reason: evil },
      spec: { kind: 'command', command: 'npm test | cat' },
    },
  ],
  questions: [{ name: evil, kind: 'beyond_scope', why: evil, diff: evil, accept: evil }],
  ...{ accepted: [evil], beyondScope: [evil], isolation: 'full', notices: [evil] },
  ...{ proof: null, bundle: null, runs: 3, durationMs: 1000 },
});

/** What Markdown would take for itself, once code is taken out as CommonMark reads it. */
function outsideOfCode(text: string): string {
  const lines = text.replaceAll(/^(`{3,})\w*\n[\s\S]*?\n\1$/gm, '');
  return lines.replaceAll(/(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, '');
}

describe('the comment on a pull request', () => {
  test('CHK-9 holds what the author wrote in code alone', () => {
    const text = commentOf(result);
    expect(text.startsWith(`${MARKER}\n`)).toBe(true);
    expect(outsideOfCode(text)).not.toMatch(/everyone|e\.example|<img|<\/code>/);
    expect(text).not.toContain('\u202e');
  });

  test('CHK-9 is never longer than GitHub takes', () => {
    const many = Array.from({ length: 200 }, () => ({
      ...result.questions[0],
      diff: 'x'.repeat(1e5),
    }));
    expect(commentOf(checkResultSchema.parse({ ...result, questions: many })).length).toBeLessThan(
      65_536,
    );
  });
});

describe('what a person accepts', () => {
  const isAccepted = acceptance(['test/**', 'node_modules/', 'test:adds', 'c2'], () => true);
  test('CHK-10 is a file by its glob, and everything else by its exact name', () => {
    expect(['test/a.js', 'node_modules/', 'test:adds', 'c2'].map(isAccepted)).toEqual(
      Array(4).fill(true),
    );
    const all = acceptance(['**'], () => true);
    const others = ['node_modules/', 'test:adds', 'rewritten:a', 'looked at:a', 'c1'];
    expect(others.map(all)).toEqual(Array(5).fill(false));
  });

  test('CHK-10 new: names only files that the base lacks', () => {
    const ofNew = acceptance(['new:test/**'], (path) => path === 'test/old.js');
    expect([ofNew('test/new.js'), ofNew('test/old.js'), ofNew('src/new.js')]).toEqual([
      ...[true, false, false],
    ]);
  });

  test('CHK-8 knows what package managers read', () => {
    const read = ['package.json', 'a/.npmrc', 'requirements-dev.txt', 'uv.lock'];
    expect(ofPackages([...read, 'src/package.js', 'docs/lock.md'])).toEqual(read);
  });
});

describe('what a check comes to', () => {
  const one: CriterionEvidence = {
    ...{ criterionId: 'c1', state: 'met', baseline: 'unmet', isHostChecked: true, reason: '' },
    receipts: [],
  };
  const tracked: TrackedCriterion = {
    ...{ criterionId: 'c1', spec: { kind: 'command', command: 'make' }, state: 'met' },
    ...{ baseline: 'unmet', origin: 'caller', receipts: [] },
  };
  const facts: Facts = {
    ...{ evidence: [one], criteria: [tracked], open: [], asked: [], isAccepted: () => false },
    ...{ acceptsHeld: false, beyondScope: [], accepted: [] },
  };
  test('CHK-11 what nobody hears, and what only people judge, is asked', () => {
    const deaf = { ...facts, evidence: [{ ...one, isHostChecked: false, reason: 'deaf' }] };
    expect(conclude(deaf)).toMatchObject({ exitCode: 2, questions: [{ accept: 'c1' }] });
    const accepted = conclude({ ...deaf, isAccepted: (name) => name === 'c1' });
    expect(accepted).toMatchObject({ exitCode: 0, level: 'accepted_by_person' });
    const review = {
      ...tracked,
      criterionId: 'c2',
      spec: { kind: 'review', rubric: 'r' },
    } as const;
    expect(conclude({ ...facts, open: [review] })).toMatchObject({ exitCode: 2 });
  });

  test('CHK-11 what does not hold comes before every question', () => {
    const asked: ShownChange[] = [
      { name: 'a', kind: 'beyond_scope', criterionIds: [], before: null, now: null, diff: '' },
    ];
    const refused = conclude({ ...facts, evidence: [{ ...one, state: 'unmet' }], asked });
    expect(refused).toMatchObject({ exitCode: 1, status: 'refused', questions: [] });
    expect(conclude({ ...facts, asked })).toMatchObject({ exitCode: 2 });
    expect(conclude({ ...facts, evidence: [{ ...one, baseline: 'met' }] })).toMatchObject({
      ...{ exitCode: 1, status: 'held' },
    });
  });
});
