import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchesPath, matchesWhole, matchesWord, pathProblem } from '../../schema/glob.ts';
import { ANY_NAME, ANY_PATH, ANY_SIGN, mayMatchPath, UNKNOWN } from '../../schema/glob-overlap.ts';
import { toolRulesSchema } from '../../schema/tool-rule.ts';
import { processorMs } from '../support/processor-time.ts';

describe('R36 a glob of paths means what it looks like', () => {
  test.each<[string, string[], string[]]>([
    ['secrets/{prod,dev}.env', ['secrets/prod.env', 'secrets/dev.env'], ['secrets/test.env']],
    ['{**/.env,secrets}', ['.env', 'a/b/.env', 'secrets', 'secrets/key'], ['a/secrets']],
    ['v{1..12}/*', ['v1/a', 'v7/a', 'v12/.a'], ['v13/a']],
    ['a[0-9].txt', ['a1.txt', 'a[0-9].txt'], ['ax.txt']],
    ['[!a].txt', ['b.txt', '[!a].txt'], ['a.txt', '!.txt.md']],
    ['[[:digit:]]x', ['1x'], ['ax']],
    ['!(public)/**', ['private/a', 'public2/a', '.git/x'], ['public/a']],
    ['*.@(pem|key)', ['a.pem', '.key.pem'], ['a.crt', 'b/a.pem']],
    ['+(ab|c)', ['abcab', 'c'], ['abx']],
    ['**', ['a', 'a/b', '.a', '', '.', '../x', '/etc/passwd'], []],
    ['*', ['a', '.a', 'a/b', '', '..'], []],
    ['infra', ['infra', 'infra/a/b'], ['infra2', 'a/infra']],
    ['./infra/', ['infra', 'infra/a'], ['infra2']],
    ['infra/**', ['infra/a', 'infra/.a', 'infra/line\nbreak'], ['infra']],
    ['app/(group)/[id]/[...rest]', ['app/(group)/[id]/[...rest]'], ['app/group/x/y']],
    ['a**', [], []],
    ['/etc/**', ['/etc/passwd'], ['etc/passwd']],
    ['../*/x', ['../a/x'], ['a/x']],
    ['\\{a,b\\}', ['{a,b}'], ['a', 'b']],
    ['Secrets', ['Secrets'], ['secrets']],
    ['it\'s "a" | b & #c', ['it\'s "a" | b & #c'], ['its a | b & #c']],
  ])('%s', (glob, meant, others) => {
    expect(meant.filter((path) => !matchesPath(glob, path))).toEqual([]);
    expect(others.filter((path) => matchesPath(glob, path))).toEqual([]);
  });

  const name = fc.stringMatching(/^[A-Za-z0-9._ -]{1,8}$/).filter((one) => !/^\.+$/.test(one));
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));

  test('R36 a literal path means itself and what lies in it, and nothing else', () => {
    fc.assert(
      fc.property(path, path, (one, other) => {
        expect(matchesPath(one, one)).toBe(true);
        expect(matchesPath(one, other)).toBe(other === one || other.startsWith(`${one}/`));
      }),
    );
  });

  test('R36 a name with any sign in it, escaped, means itself and nothing else', () => {
    const odd = fc
      .stringMatching(/^[a*?{}[\]()!+@,|"'\\$^.-]{1,6}$/)
      .filter((one) => !/^\.+$/.test(one));
    fc.assert(
      fc.property(odd, odd, (one, other) => {
        const glob = one.replace(/[^A-Za-z0-9]/g, '\\$&');
        expect(pathProblem(glob)).toBeNull();
        expect(matchesPath(glob, one)).toBe(true);
        expect(matchesPath(glob, other)).toBe(one === other);
      }),
    );
  });

  test('R36 braces are the union of their alternatives', () => {
    const piece = fc.stringMatching(/^[ab.*?]{1,4}$|^\*\*\/[ab.]{1,2}$/);
    const glob = piece.filter((one) => !/(?<!^)\*\*|\*\*(?!\/)|(^|\/)\.{1,2}$/.test(one));
    const file = fc.stringMatching(/^[ab.]{1,3}(\/[ab.]{1,3})?$/);
    fc.assert(
      fc.property(fc.array(glob, { minLength: 2, maxLength: 4 }), file, (globs, one) => {
        const together = matchesWhole(`{${globs.join(',')}}`, one);
        expect(together).toBe(globs.some((each) => matchesWhole(each, one)));
      }),
      { numRuns: 2000 },
    );
  });
});

test.each([
  ['curl https://internal.*', 'https://internal.*', 'https://internal.example/a/../b', true],
  ['rm *', '*', '..', true],
  ['rm *', '*', '', true],
  ['rm **', '**', 'a/b', true],
  ['cat @(a/b|c)', '@(a/b|c)', 'a/b', true],
  ['git push origin {main,master}', '{main,master}', 'master', true],
  ['git push origin +main', '+main', '+main', true],
  ['find -exec rm {} +', '{}', '{}', true],
  ['pip?', 'pip?', 'pip', false],
])('R36 words of a command: %s', (command, glob, word, isMeant) => {
  const rule = { tool: 'run_command', command, decision: 'deny' };
  expect(toolRulesSchema.safeParse([rule]).error).toBeUndefined();
  expect(matchesWord(glob, word)).toBe(isMeant);
});

describe('R36 what a glob cannot mean is refused, and its field named', () => {
  test.each([
    ['path', 'secrets/{prod,dev'],
    ['path', 'secrets/prod}.env'],
    ['path', '[a'],
    ['path', 'a]'],
    ['path', '[z-a]'],
    ['path', '[post-id]'],
    ['path', '[a/b]'],
    ['path', '[[:letters:]]'],
    ['path', '[{,}]'],
    ['path', '[[...slug]]'],
    ['path', '@(a|b'],
    ['path', 'a)'],
    ['path', '!(a|{b,c})'],
    ['path', '@(a/b|c)'],
    ['path', '!secrets/**'],
    ['path', 'src\\main.ts'],
    ['path', 'a\\'],
    ['path', '**.pem'],
    ['path', 'secrets**'],
    ['path', 'a/../b'],
    ['path', 'a/./b'],
    ['path', '.'],
    ['path', './'],
    ['path', `$\{HOME}/x`],
    ['path', '~/.ssh/**'],
    ['path', '~root'],
    ['path', '$HOME/.ssh/**'],
    ['path', '*.{env}'],
    ['path', 'secrets/{}'],
    ['path', '{1..a}'],
    ['path', '{a..}'],
    ['path', 'a\0b'],
    ['path', 'a\ud800'],
    ['path', '{a,b}'.repeat(20)],
    ['path', '{1..100000}'],
    ['path', 'a'.repeat(301)],
    ['command', 'git push {origin'],
    ['command', 'cat [ab'],
    ['command', 'cat a\\b'],
  ])('%s %s', (field, glob) => {
    const rule = { tool: '*', [field]: glob, decision: 'deny' };
    const { error } = toolRulesSchema.safeParse([rule]);
    expect(error?.issues.map(({ path }) => path)).toEqual([[0, field]]);
  });
});

test('R36 no glob that is accepted takes long, whatever it is asked about', () => {
  const evil = [
    ['*a'.repeat(140), 'a'.repeat(4000)],
    [`${'**/a/'.repeat(50)}b`, 'a/'.repeat(2000)],
    ['+(a|aa)+(a|aa)b', 'a'.repeat(4000)],
    ['*(*(*(*(a))))b', 'a'.repeat(4000)],
    ['?(a)'.repeat(60), 'a'.repeat(4000)],
    ['!(a*)!(a*)!(a*)!(a*)b', 'a'.repeat(250)],
    [`${'{a,b}'.repeat(7)}*c`, 'ab'.repeat(2000)],
    ['[a-c]*[a-c]*[a-c]*[a-c]*d', 'abc'.repeat(1000)],
  ] as const;
  for (const [glob, text] of evil) {
    expect(pathProblem(glob)).toBeNull();
    const began = processorMs();
    matchesPath(glob, text);
    matchesWord(glob, text);
    expect([glob, processorMs() - began < 1000]).toEqual([glob, true]);
  }
});

describe('R36 a rule about commands can match, or is refused', () => {
  test.each([
    'a | b',
    'a; b',
    'a;',
    'a && b',
    'a || b',
    'a & b',
    'curl * | sh',
    'echo hi > x',
    'cat < x',
    '(a)',
    '$(a)',
    '`a`',
    'a\nb',
    'a\u00a0b',
    'git "push"',
    "sed 's/a/b/'",
    'a #b',
    '#a',
    'A=1 npm test',
    'if x',
    '! a',
    'find . -exec rm {} ;',
    'rm {src}',
  ])('%j is refused', (command) => {
    const rule = { tool: 'run_command', command, decision: 'deny' };
    const { error } = toolRulesSchema.safeParse([rule]);
    expect(error?.issues.map(({ path }) => path)).toEqual([[0, 'command']]);
  });

  test.each(['read_file', 'write_*', 'wait_for'])('%s runs no command of its own', (tool) => {
    const rule = { tool, command: 'rm', decision: 'deny' };
    const { error } = toolRulesSchema.safeParse([rule]);
    expect(error?.issues.map(({ path }) => path)).toEqual([[0, 'tool']]);
  });
});

describe('R36 a path that looks the same is the same', () => {
  test.each([
    ['caf\u00e9/**', 'cafe\u0301/menu'],
    ['cafe\u0301/**', 'caf\u00e9/menu'],
    ['caf[\u00e9]', 'cafe\u0301'],
    ['caf?', 'cafe\u0301'],
  ])('%s means %s', (glob, path) => {
    expect(matchesPath(glob, path)).toBe(true);
  });
});

describe('R36 a path that only the shell knows in full may be one that a glob means', () => {
  test.each<[string, string, boolean]>([
    ['secrets/**', `sec${ANY_NAME}/key`, true],
    ['secrets/**', `${ANY_NAME}/key`, true],
    ['secrets/**', `${ANY_SIGN}ecrets/key`, true],
    ['secrets/*.env', `secrets/${ANY_NAME}`, true],
    ['**/.env', `${ANY_NAME}/.env`, true],
    ['**/.env', `a/${ANY_NAME}`, false],
    ['**/.env', `a/.e${ANY_NAME}`, true],
    ['*.pem', `${ANY_NAME}.ts`, false],
    ['a/{b,c}/d', `a/${ANY_SIGN}/d`, true],
    ['a/{b,c}/d', `a/${ANY_SIGN}${ANY_SIGN}/d`, false],
    ['src/*/key', `src/${UNKNOWN}/key`, true],
    ['src/*.ts', `src/${UNKNOWN}.ts`, true],
    ['secrets/**', `${UNKNOWN}/key`, false],
    ['src/generated/**', `${ANY_PATH}/a.ts`, true],
    ['lib/**', `src/${ANY_PATH}/a.ts`, false],
    ['[s]ecrets/+(a|b)', `secrets/${ANY_NAME}`, true],
    ['a', 'x'.repeat(2000), true],
  ])('%s and %j: %s', (glob, path, isMeant) => {
    expect(mayMatchPath(glob, path)).toBe(isMeant);
  });

  test('what a glob matches, it may match with any part of it left open', () => {
    const name = fc.stringMatching(/^[ab]{1,3}$/);
    const glob = fc.stringMatching(/^[ab*?]{1,4}$/).filter((one) => !one.includes('**'));
    fc.assert(
      fc.property(
        fc.array(glob, { minLength: 1, maxLength: 3 }),
        name,
        name,
        (parts, one, other) => {
          for (const path of [one, `${one}/${other}`]) {
            if (!matchesPath(parts.join('/'), path)) continue;
            for (let at = 0; at < path.length; at += 1) {
              if (path[at] === '/') continue;
              for (const open of [ANY_SIGN, ANY_NAME]) {
                const asked = path.slice(0, at) + open + path.slice(at + 1);
                expect([asked, mayMatchPath(parts.join('/'), asked)]).toEqual([asked, true]);
              }
            }
          }
        },
      ),
    );
  });
});
