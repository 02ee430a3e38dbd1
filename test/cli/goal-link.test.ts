import { execFile } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { goalTable } from '../../src/cli/goal-text.ts';
import { linkTo, unlinked } from '../../src/cli/screen/goal-link.ts';
import { goalPaint, lookOf } from '../../src/cli/screen/look.ts';
import { table } from '../../src/cli/terminal.ts';
import { compiled } from '../support/compiled.ts';
import { SCRIPT, testWith } from '../support/needs.ts';
import { startService } from './command-line.ts';

const LINK = '\u001b]8;;';
let service: Awaited<ReturnType<typeof startService>>;
let goalId = '';
beforeAll(async () => {
  service = await startService();
  const { out } = await service.goalkeeper('run', 'Fix it', '--workspace-name', 'shop', '--detach');
  goalId = out.trim();
});
afterAll(() => service.close());

describe('the id of a goal', () => {
  test('TERM-65 leads to its page, whole, however little of it is shown, and takes no column', () => {
    const look = lookOf(60, undefined, false, linkTo('http://host:7400/'));
    const shown = goalPaint(look, 'g-7f3a9c0123456789')('g-7f3a9c');
    expect(shown).toBe(
      `${LINK}http://host:7400/goals/g-7f3a9c0123456789\u0007g-7f3a9c${LINK}\u0007`,
    );
    expect(stripVTControlCharacters(shown)).toBe('g-7f3a9c');
    const rows = (id: string) =>
      table([
        ['GOAL', 'STATE'],
        [id, 'active'],
      ]);
    expect(stripVTControlCharacters(rows(shown))).toBe(rows('g-7f3a9c'));
    expect(goalTable([], unlinked)).not.toContain(LINK);
  });

  test('TERM-65 an address and an id that hold signs of a terminal hold them no more', () => {
    const shown = linkTo('http://host/\u0007\u001b[2J')('g-1', 'g-\u0007\u001b[2J/../x');
    expect(shown.slice(LINK.length).split('\u0007')[0]).toBe(
      'http://host/goals/g-%07%1B%5B2J%2F..%2Fx',
    );
  });

  test('TERM-65 is no link in files, pipes and JSON, whatever the terminal can', async () => {
    for (const args of [['list'], ['list', '--json'], ['top'], ['inbox'], ['status']]) {
      const { out, err } = await service.start(...args).done;
      expect([args, out.includes(LINK) || err.includes(LINK)]).toEqual([args, false]);
    }
  });

  testWith(SCRIPT)(
    'TERM-65 is one at a terminal that says that it can, and at no other',
    async () => {
      const at = (more: Record<string, string>) =>
        new Promise<string>((resolve) => {
          const line = `"${process.execPath}" "${compiled('src/cli/main.ts')}" list`;
          const env = { PATH: process.env.PATH, TERM: 'xterm', ...service.environment, ...more };
          execFile('script', ['-qec', line, '/dev/null'], { env }, (_, out) => resolve(out));
        });
      const page = `${LINK}${service.environment.GOALKEEPER_URL}/goals/${goalId}\u0007${goalId}`;
      expect(await at({ VTE_VERSION: '7600' })).toContain(page);
      const plain = await at({});
      expect([plain.includes(goalId), plain.includes(LINK)]).toEqual([true, false]);
      expect(await at({ VTE_VERSION: '7600', TERM: 'dumb' })).not.toContain(LINK);
    },
  );
});
