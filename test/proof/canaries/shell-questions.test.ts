import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withQuestions } from '../../../src/proof/canaries/questions.ts';

const WORD = 'gk0123456789abcdef';
const JUDGE = `set -e
. test/assert.sh
. src/week.sh
names() {
  assert_eq "$(week 3)" W3
}
names
week 9 | grep -q W9
`;
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'goalkeeper-shell-'));
  mkdirSync(join(folder, 'src'));
  mkdirSync(join(folder, 'test'));
  writeFileSync(join(folder, 'test/assert.sh'), 'assert_eq() {\n  [ "$1" = "$2" ]\n}\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ask = (shell: string, work: string, text = JUDGE) => {
  writeFileSync(join(folder, 'src/week.sh'), `week() {\n  echo "W$1"\n}\n${work}\n`);
  const asking = withQuestions('test/run.sh', text, WORD, (path) => path === 'test/assert.sh');
  writeFileSync(join(folder, 'test/run.sh'), asking ?? text);
  const { status, stderr } = spawnSync(shell, ['test/run.sh', 'a b'], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, isTold: stderr.includes(`${WORD} shell`) };
};

describe.each(['sh', 'bash'])('WORD-23: %s that sources the work', (shell) => {
  test.each(['', 'month() {\n  echo "M$1"\n}', 'names=3', 'if [ -n "$1" ]; then :; fi'])(
    'is the same behind %j',
    (work) => {
      expect(ask(shell, work)).toEqual({ status: 0, isTold: false });
      expect(ask(shell, work, JUDGE.replace('set -e\n', ''))).toEqual({ status: 0, isTold: false });
    },
  );

  test.each([
    'set +e',
    'set -f',
    'set -- one two',
    'IFS=:',
    'export TZ=Asia/Tokyo',
    'PATH="$PWD/src:$PATH"',
    'cd /',
    'umask 077',
    'alias week=true',
    'name=gre; eval "$name"p"() { :; }"',
  ])('is another one behind %j', (work) => {
    expect(ask(shell, work)).toEqual({ status: null, isTold: true });
  });
});

test.each([
  'shopt -s nocasematch',
  "shopt -s extdebug; trap '[[ 1 ]]' DEBUG",
  'hash -p /bin/true grep',
])('WORD-23: bash is another one behind %j', (work) => {
  expect(ask('bash', work)).toEqual({ status: null, isTold: true });
});

test('WORD-23: a function of the script that the work edits is another one', () => {
  const text = JUDGE.replace('. src/week.sh\n', '').replace('names\n', '. src/week.sh\nnames\n');
  const edits = 'eval "$(declare -f names | sed s/assert_eq/:/)"';
  expect(ask('bash', edits, text)).toEqual({ status: null, isTold: true });
});

test('WORD-23: a script that sources no work by a line of its own stays', () => {
  for (const text of ['sh src/week.sh 3\n', '[ -f x ] && . src/week.sh\n', '. test/assert.sh\n'])
    expect(
      withQuestions('test/run.sh', text, WORD, (path) => path === 'test/assert.sh'),
    ).toBeNull();
  const asking = withQuestions('test/run.sh', JUDGE, WORD, (path) => path === 'test/assert.sh');
  expect(asking?.split('\n')).toHaveLength(JUDGE.split('\n').length);
});
