import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Need, testWith } from '../../support/needs.ts';
import { judgeWork } from './judge-work.ts';
import { tricks } from './tricks.ts';

const NOTHING: Need = { what: 'nothing', isThere: true };

/** Each takes seconds: one a project is played always, all of them with GOALKEEPER_TRICKS=all. */
const played =
  process.env.GOALKEEPER_TRICKS === 'all'
    ? tricks
    : tricks.filter(({ project }, at) => at === tricks.findIndex((one) => one.project === project));

describe('code that bends what judges it', () => {
  for (const { name, what, project, work, need = NOTHING } of played) {
    testWith(need)(`is not verified: ${name}, ${what}`, async () => {
      const { exits0, isVerified, reason } = await judgeWork(project, work);
      expect({ exits0, isVerified }, reason).toEqual({ exits0: true, isVerified: false });
    });
  }
});

test('the page of these tricks has them all', () => {
  const page = readFileSync('docs/in-process.md', 'utf8').split('\n');
  const begin = page.indexOf('| trick | what it does |') + 2;
  const rows = page.slice(begin, page.indexOf('', begin));
  expect(rows).toEqual(tricks.map(({ name, what }) => `| ${name} | ${what} |`));
});
