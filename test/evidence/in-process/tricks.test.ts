import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Need, testWith } from '../../support/needs.ts';
import { judgeWork } from './judge-work.ts';
import { OPEN, tricks } from './tricks.ts';

const NOTHING: Need = { what: 'nothing', isThere: true };

/** Each takes seconds: one a project is played always, all of them with GOALKEEPER_TRICKS=all. */
const played =
  process.env.GOALKEEPER_TRICKS === 'all'
    ? tricks
    : tricks.filter(({ project }, at) => at === tricks.findIndex((one) => one.project === project));

describe('code that bends what judges it', () => {
  for (const { name, what, project, work, need = NOTHING } of played) {
    const isOpen = OPEN.includes(name);
    testWith(need)(`${isOpen ? 'still passes' : 'is refused'}: ${name}, ${what}`, async () => {
      const { exits0, state, reason } = await judgeWork(project, work);
      expect({ exits0, state }, reason).toEqual({ exits0: true, state: isOpen ? 'met' : 'unmet' });
    });
  }
});

test('the page of these tricks has them all, with what comes of each', () => {
  const rows = tricks.map(({ name, what }) => {
    const end = OPEN.includes(name) ? 'still passes' : 'refused';
    return `| ${name} | ${what} | ${end} |`;
  });
  const page = readFileSync('docs/in-process.md', 'utf8').split('\n');
  expect(
    page.filter((line) => /^\| [a-z0-9-]+ \| .* \| (?:refused|still passes) \|$/.test(line)),
  ).toEqual(rows);
  const share = Math.round((1 - OPEN.length / tricks.length) * 100);
  expect(page.join(' ')).toContain(
    `${tricks.length - OPEN.length} of ${tricks.length} are refused (${share} %)`,
  );
});
