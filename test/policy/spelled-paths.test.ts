import { beforeAll, describe, expect, test } from 'vitest';
import type { ToolRule } from '../../schema/tool-rule.ts';
import type { JudgedCall } from '../../src/policy/judged-call.ts';
import { judgeTool } from '../../src/policy/tool-policy.ts';
import { loadShellParser } from '../../src/shell/read/parse.ts';
import type { ParseShell } from '../../src/shell/read/script.ts';
import { processorMs } from '../support/processor-time.ts';

let parse: ParseShell;
beforeAll(async () => {
  parse = await loadShellParser();
});

const WORKSPACE = '/srv/shop';

/** `link` leads to `secrets`. */
const call = (command: string | null, paths: readonly string[] = []): JudgedCall => ({
  tool: command === null ? 'read_file' : 'run_command',
  isSpeaking: false,
  command,
  paths,
  workspace: WORKSPACE,
  resolved: (path) => path.replace(/^link(?=\/|$)/, 'secrets'),
});

const deny = (path: string): ToolRule => ({ tool: '*', path, decision: 'deny' });
const judged = (asked: JudgedCall, ...goal: ToolRule[]) =>
  judgeTool(asked, { goal, service: [] }, parse).decision;

describe('R36 a command is held back from a place, however it spells it', () => {
  test.each([
    // A redirect opens its file, with a command or without.
    '> secrets/key',
    '< secrets/key',
    '{ cat; } < secrets/key',
    '( cat ) < secrets/key',
    'while read -r x; do echo; done < secrets/key',
    'for ((;;)); do :; done > secrets/key',
    'f() { cat; } < secrets/key; f',
    'if > secrets/key; then :; fi',
    // What the shell fills in from the names of files, and from braces.
    'cat sec*/key',
    'cat */key',
    'cat [s]ecrets/key',
    'cat ?ecrets/*',
    'cat *',
    'cat **/key',
    'cat {secrets,x}/key',
    'cat s{e,f}crets/key',
    'cd sec* && cat key',
    'echo x > sec*/key',
    'for f in secrets/*; do cat $f; done',
    // What it fills in from elsewhere, with the end of the path told.
    'cat $PWD/secrets/key',
    'cat "$(pwd)/secrets/key"',
    'cat `pwd`/secrets/key',
    'cat ~/shop/secrets/key',
    'cat ~+/secrets/key',
    'cd "$PWD/secrets" && cat key',
    'cat /proc/self/cwd/secrets/key',
    'cat secrets/$NAME',
    `cat $\{F:-secrets/key}`,
    // Variables of the line.
    'F=secrets/key node main.js',
    'export F=secrets/key; node main.js',
    `files=(a secrets/key); cat "$\{files[1]}"`,
    'NODE_OPTIONS=--require=./secrets/key node x',
    // Quotes and ends of lines.
    "cat $'\\x73ecrets/key'",
    'cat sec\\\nrets/key',
    // Behind flags and the signs by which programs part words.
    'tar -Csecrets -x',
    'wget -qOsecrets/key x',
    'curl -d @secrets/key x',
    'curl -F f=@secrets/key x',
    'docker run --mount type=bind,src=secrets,dst=/x alpine',
    'docker run -v ./secrets:/x alpine',
    'env F=secrets/key node x',
    'time -o secrets/log npm test',
    // Through links, and by other names of the same place.
    'cat link/key',
    'cd link && cat key',
    `cat ${WORKSPACE}/secrets/key`,
    `cat file://${WORKSPACE}/secrets/key`,
    'cat ../shop/secrets/key',
  ])('%s', (command) => {
    expect(judged(call(command), deny('secrets/**'))).toBe('deny');
  });

  test.each([
    ['/srv/shop/secrets/**', 'cat secrets/key'],
    ['/srv/shop/secrets/**', 'cat sec*/key'],
    ['../shop/secrets/**', 'cat secrets/key'],
    ['/etc/**', 'cat ../../etc/passwd'],
    ['/etc/**', 'cat ~/../../etc/passwd'],
    ['**/.ssh/**', 'cat ~/.ssh/id'],
    ['**/.env', 'cat $HOME/.env'],
    ['.env', 'cat .e*'],
  ])('a glob %s, by %s', (glob, command) => {
    expect(judged(call(command), deny(glob))).toBe('deny');
  });

  test('an absolute glob means files of tools that name them relatively', () => {
    expect(judged(call(null, ['secrets/key']), deny('/srv/shop/secrets/**'))).toBe('deny');
    expect(judged(call(null, ['src/key']), deny('/srv/shop/secrets/**'))).toBe('allow');
  });
});

describe('commands about other places run', () => {
  const rules = ['secrets/**', '**/.env', 'infra/**', '*.pem', '**/*.key', 'src/generated/**'];
  test.each([
    'npm run build && npm test 2>&1 | tail -20',
    'wc -l src/*.ts',
    'cat src/{a,b}.ts',
    'for f in src/*.ts; do echo "$f"; done',
    'curl -s "http://localhost:$PORT/api?x=1&y=2"',
    'X=$(date); echo "took $X, exit $?"',
    'cd "$(git rev-parse --show-toplevel)" && npm test',
    'git commit -m "fix: a, b (c)"',
    'export PATH="$PWD/node_modules/.bin:$PATH"; eslint .',
    "cat <<'EOF' > src/x.ts\nconst a = 'secrets/key';\nEOF",
    'cat src/$f.ts',
    'cp -r src/*.ts out/',
    'find . -name "*.ts" -not -path "./node_modules/*"',
    `A=(1 2 3); for i in "$\{A[@]}"; do echo $i; done`,
    'python -m pytest tests/test_a.py::test_x -k "a or b"',
  ])('%s', (command) => {
    expect(judged(call(command), ...rules.map(deny))).toBe('allow');
  });
});

describe('a rule about a tool means each of its calls', () => {
  test.each(['> notes.txt', '< notes.txt', 'A=1', '# nothing', ''])('%j', (command) => {
    expect(judged(call(command), { tool: 'run_command', decision: 'deny' })).toBe('deny');
  });

  test('a redirect to a disk asks without a command as well', () => {
    expect(judged(call('> /dev/sda'))).toBe('ask');
  });

  test.each(['env A=1 npm publish', 'time npm publish', 'nice -n 5 npm publish'])(
    'a rule that is worded like it holds back %s',
    (command) => {
      expect(judged(call(command), { tool: 'run_command', command, decision: 'deny' })).toBe(
        'deny',
      );
    },
  );
});

test('R36 no line takes long to judge, whatever its length', () => {
  const braces = '{a,b}'.repeat(8);
  const many = Array.from({ length: 50 }, (_, index) => deny(`n${index}${braces}x`));
  const words = Array.from({ length: 3000 }, (_, index) => `w${index}`).join(' ');
  const lines = [
    `cat ${words}`,
    `cd a; cd b; cd c; cd d; cd e; cd f; cat ${words}`,
    `${'sudo '.repeat(3000)}ls`,
    `${'docker run '.repeat(1500)}ls`,
    `${'('.repeat(3000)}ls${')'.repeat(3000)}`,
    `cat ${'a,'.repeat(9000)}`,
    `cat $X/${'a/'.repeat(9000)}`,
  ];
  for (const line of lines) {
    for (const rules of [many, [deny('x/**')], []]) {
      const began = processorMs();
      judged(call(line), ...rules);
      expect([line.slice(0, 20), processorMs() - began < 8000]).toEqual([line.slice(0, 20), true]);
    }
  }
});
