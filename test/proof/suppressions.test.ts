import { describe, expect, it } from 'vitest';
import { type BasisComparison, changesOfBasis, nameChanges } from '../../src/proof/basis.ts';
import { addsSilence, canSilence, silencingIn } from '../../src/proof/suppressions.ts';

describe('comments that silence a checker', () => {
  it.each([
    ['a.ts', '// @ts-nocheck\nlet a;', ['@ts-nocheck']],
    ['a.mts', 'f(1); // @ts-ignore: later', ['@ts-ignore']],
    ['a.tsx', '{/* @ts-expect-error wrong */}', ['@ts-expect-error']],
    ['a.js', '/* eslint-disable */\nf();', ['/* eslint-disable']],
    ['a.js', 'f(); // eslint-disable-line no-undef -- known', ['// eslint-disable-line no-undef']],
    ['a.js', '/* eslint-disable\n  no-undef,\n  no-var */', ['/* eslint-disable no-undef, no-var']],
    ['a.js', '/* eslint no-undef: 0 */', ['/* eslint no-undef: 0']],
    ['a.vue', '<!-- eslint-disable vue/no-v-html -->', ['<!-- eslint-disable vue/no-v-html']],
    [
      'a.ts',
      '// biome-ignore lint/style/useConst: it is why',
      ['biome-ignore lint/style/useConst'],
    ],
    ['a.json', '// biome-ignore-all lint: why', ['biome-ignore-all lint']],
    ['a.py', 'f()  # type: ignore[arg-type]  # why', ['# type: ignore[arg-type]']],
    ['a.py', '# pyright: basic', ['# pyright: basic']],
    ['a.py', 'import a  # NOQA: F401,E501 unused', ['# NOQA: F401,E501']],
    ['a.py', '# ruff: noqa', ['# ruff: noqa']],
    ['a.pyi', '# pylint: disable=all', ['# pylint: disable=all']],
    ['a.go', 'f() //nolint:errcheck // why', ['//nolint:errcheck']],
    ['a.go', '//go:build ignore\n\npackage a', ['//go:build ignore']],
    [
      'a.ts',
      '// @ts-ignore\na();\n// eslint-disable-next-line x\nb();\n// @ts-ignore\nc();',
      ['@ts-ignore', '// eslint-disable-next-line x', '@ts-ignore'],
    ],
  ])('R43 in %s: %s', (path, text, lines) => {
    expect(silencingIn(path, text)).toEqual(lines);
  });

  it.each([
    ['a.ts', 'const eslint = 1; // about eslint and types'],
    ['a.ts', '/* eslint-enable */'],
    ['a.py', '# pyright: strict\nx: int = 1  # types are ignored'],
    ['a.go', '// build it'],
    ['README.md', 'Write `// @ts-nocheck` or `# noqa`.'],
  ])('R43 nothing in %s: %s', (path, text) => {
    expect(silencingIn(path, text)).toEqual([]);
  });

  it('only these files are looked at', () => {
    expect(['a.ts', 'b.cjs', 'c.py', 'd.go', 'e.json'].every(canSilence)).toBe(true);
    expect(['a.md', 'b.sh', 'Makefile'].some(canSilence)).toBe(false);
  });

  it('lines may go and change their places; one more is one more', () => {
    expect(addsSilence('a\nb\na\n', 'b\na\n')).toBe(false);
    expect(addsSilence('a\nb\n', 'b\na\n')).toBe(false);
    expect(addsSilence('', '')).toBe(false);
    expect(addsSilence('a\n', 'a\na\n')).toBe(true);
    expect(addsSilence('a\n', 'b\n')).toBe(true);
  });
});

describe('what is silenced, as a change of the basis', () => {
  const name = 'suppressions:src/a.ts';
  const texts: Record<string, string> = { one: 'a\n', two: 'a\nb\n', moved: 'b\na\n' };
  const basis = (sha256: string | null) => ({
    entries: sha256 === null ? {} : { [name]: sha256 },
    installed: [],
    report: null,
  });
  const compare = (before: string | null, now: string | null, kept = true) => {
    const comparison: BasisComparison = {
      criterionId: 'c1',
      before: basis(before),
      now: basis(now),
      isMet: true,
      textOf: (sha256) => (kept ? (texts[sha256] ?? null) : null),
    };
    return changesOfBasis(comparison);
  };

  it('R43 added silence is a change, also in a file that had none or is new', () => {
    expect(compare('one', 'two')).toMatchObject([{ name, kind: 'suppression' }]);
    expect(compare(null, 'one')).toMatchObject([{ name, before: null, now: 'one' }]);
    expect(nameChanges(compare(null, 'one'))).toEqual(['src/a.ts (silences a checker)']);
  });

  it('R43 silence that goes or moves is none', () => {
    expect(compare('two', 'one')).toEqual([]);
    expect(compare('two', 'moved')).toEqual([]);
    expect(compare('two', null)).toEqual([]);
  });

  it('a folder that came or went is none', () => {
    const folders = (entries: Record<string, string>) => ({ ...basis(null), entries });
    const comparison = { criterionId: 'c1', isMet: true, textOf: () => null };
    const [before, now] = [folders({ 'sources:a': 'x' }), folders({ 'sources:b': 'x' })];
    expect(changesOfBasis({ ...comparison, before, now })).toEqual([]);
  });

  it('a text that was too long to keep might be anything', () => {
    expect(compare('two', 'one', false)).toHaveLength(1);
  });
});
