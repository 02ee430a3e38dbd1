import { describe, expect, it } from 'vitest';
import { matchCommand } from '../../../src/shell/compare/match.ts';
import { loadShellParser } from '../../../src/shell/read/parse.ts';
import { driftRows } from '../rows/drift.ts';
import { maskRows } from '../rows/masks.ts';
import { narrowingRows } from '../rows/narrowing.ts';
import { environmentRows, folderRows, idleRows } from '../rows/other.ts';
import { tamperingRows } from '../rows/tampering.ts';
import { wrapperRows } from '../rows/wrappers.ts';

const shell = { parse: await loadShellParser(), workspace: '/srv/space' };
const themes = [
  ['spelling drift (R7, R12)', driftRows],
  ['other ways to start the same (R7)', wrapperRows],
  ['masked exits (R38)', maskRows],
  ['narrowed runs (R7)', narrowingRows],
  ['tampering around a check', tamperingRows],
  ['folders (R7)', folderRows],
  ['what checks nothing', idleRows],
  ['environment variables (R7)', environmentRows],
] as const;

describe.each(themes)('%s', (_, rows) => {
  it.each(rows)('"%s" by "%s": %s, %s', (cited, ran, kind) => {
    const match = matchCommand({ command: cited }, { command: ran }, shell);
    expect(`${match.kind}: ${match.reason}`).toMatch(new RegExp(`^${kind}: `));
  });
});

it('has at least 150 rows, each once', () => {
  const keys = themes.flatMap(([, rows]) => rows.map(([cited, ran]) => `${cited}\0${ran}`));
  expect(keys.length).toBeGreaterThanOrEqual(150);
  expect(new Set(keys).size).toBe(keys.length);
});
