import type { Edit } from './edits.ts';
import type { IsWork } from './modules.ts';
import type { Recordable } from './names.ts';

/*
 * A test walks all of its rows where nothing is the work's and nothing is demanded: what it loads of
 * the work is something that lets all be done with it, and so is what demands.
 */

export interface Loaded {
  /** Names that the work stands behind. */
  readonly work: ReadonlySet<string>;
  /** Names of other modules. */
  readonly free: ReadonlySet<string>;
  /** The text without both. */
  readonly edits: readonly Edit[];
}

/** @param nothing an expression that lets all be done with it */
export const loadedIn = (
  text: string,
  path: string,
  language: Recordable,
  isWork: IsWork,
  nothing: string,
): Loaded =>
  language === 'js'
    ? loadedInJavascript(text, (module) => isWork(path, module), nothing)
    : loadedInPython(text, (module) => isWork(path, module), nothing);

type Is = (module: string) => boolean;

const IMPORT =
  /^[ \t]*import\s+(?!type\b)(?:([^'"();]*?)\s*from\s*)?(['"])([^'"\n]+)\2(?:\s*(?:with|assert)\s*\{[^}]*\})?/gm;
/** `require('x')` and `import('x')`, and the name that it has. */
const REQUIRED =
  /(?:\b(?:const|let|var)\s+([^=;()]+?)\s*=\s*(?:await\s+)?)?(?<![\w$.])((?:require|import)\s*\(\s*(['"`])([^'"`\n]+)\3\s*\)|(?:vi|jest)\.(?:importActual|requireActual)\s*(?:<[^>]*>)?\(\s*(['"`])([^'"`\n]+)\5\s*\))/g;
/** Whatever they are given, they demand. */
const LIBRARY =
  /^(?:(?:node:)?assert(?:\/strict)?|chai|expect|should|must|power-assert|uvu\/assert|@japa\/assert|unexpected|expect\.js)$/;
/** Of what runs tests, these demand. */
const DEMANDING = /^(?:expect|assert|assertType|expectTypeOf|should)$/;
const ON_CONTEXT =
  /(?<![\w$.])t\s*\.\s*(?:assert\s*\.\s*)?(?=(?:is|not|truthy|falsy|true|false|like|(?:not)?(?:deep)?(?:strict)?equals?|deepStrictEqual|notDeepStrictEqual|strictEqual|same|notSame|ok|notOk|throws|throwsAsync|notThrows|rejects|doesNotThrow|match|doesNotMatch|regex|notRegex|snapshot|matchSnapshot|fileSnapshot|pass|plan|fail|error|ifError)\s*\()/gi;

function loadedInJavascript(text: string, isWork: Is, nothing: string): Loaded {
  const [work, free] = [new Set<string>(), new Set<string>()];
  const edits: Edit[] = [];
  let hasExpect = false;
  for (const { index, 0: all, 1: clause, 3: module = '' } of text.matchAll(IMPORT)) {
    const end = index + all.length;
    const lines = '\n'.repeat(all.split('\n').length - 1);
    const isLibrary = LIBRARY.test(module);
    const names = namesOf(clause ?? '');
    if (names.includes('expect')) hasExpect = true;
    if (isWork(module)) for (const name of names) work.add(name);
    else for (const name of names) free.add(name);
    if (isWork(module) || isLibrary) {
      edits.push({ at: index, end, now: `${bound(names, nothing)}${lines}` });
    } else if (names.some((name) => DEMANDING.test(name)) && clause?.includes('{')) {
      const rest = clause.replace(
        /(?<=[{,]\s*)(?:expect|assert|assertType|expectTypeOf|should)\s*(?:,|(?=\}))/g,
        '',
      );
      const demanding = names.filter((name) => DEMANDING.test(name));
      const now = all.replace(clause, () => rest);
      edits.push({ at: index, end, now: `${now}; ${bound(demanding, nothing)}` });
    }
  }
  for (const found of text.matchAll(REQUIRED)) {
    const [all, target = '', call = '', , required, , actual] = found;
    const module = required ?? actual ?? '';
    const names = namesOf(target);
    if (names.includes('expect')) hasExpect = true;
    if (isWork(module)) for (const name of names) work.add(name);
    else for (const name of names) free.add(name);
    const at = found.index + all.lastIndexOf(call);
    if (isWork(module) || LIBRARY.test(module)) {
      edits.push({ at, end: at + call.length, now: nothing });
    }
  }
  for (const { index, 0: all } of text.matchAll(ON_CONTEXT)) {
    edits.push({ at: index, end: index + all.length, now: `${nothing}.` });
  }
  if (!hasExpect && /(?<![\w$.])expect\s*[.(]/.test(text) && !/\bexpect\s*=(?![=>])/.test(text)) {
    edits.push({ at: text.length, end: text.length, now: `\n;var expect = ${nothing};` });
  }
  return { work, free, edits };
}

/** What an import, or a pattern behind `const`, calls by a name. */
const namesOf = (clause: string): string[] =>
  clause
    .replaceAll(/\btype\s+[\w$]+(?:\s+as\s+[\w$]+)?/g, '')
    .replaceAll(/[\w$*]+\s*(?:\bas\b|:)\s*/g, '')
    .replaceAll(/=[^,}]*/g, '')
    .match(/[A-Za-z_$][\w$]*/g) ?? [];

/** One after the other, whatever each of them is called where it comes from. */
const bound = (names: readonly string[], nothing: string): string =>
  names.length === 0 ? ';' : `const ${names.map((name) => `${name} = ${nothing}`).join(', ')};`;

const PY_FROM = /^([ \t]*)from\s+([\w.]+)\s+import\s+(\([^)]*\)|[^\n;#(]+)/gm;
const PY_IMPORT =
  /^([ \t]*)import\s+([\w.]+(?:[ \t]+as[ \t]+\w+)?(?:[ \t]*,[ \t]*[\w.]+(?:[ \t]+as[ \t]+\w+)?)*)/gm;
const PY_DEMANDS: readonly (readonly [RegExp, string])[] = [
  [/(?<=^[ \t]*|[:;][ \t]*)assert(?=[ \t(])/gm, '0, '],
  [/\bself\.(?:assert\w+|fail)(?=\()/g, ''],
  [/(?<!\bdef )(?<![\w.])(?:pytest\.)?(?:raises|warns|deprecated_call|fail)(?=\()/g, ''],
];
/** A method of something that was called, or of a library. */
const PY_TOLD = /\.assert_\w+(?=\()/g;

function loadedInPython(text: string, isWork: Is, nothing: string): Loaded {
  const [work, free] = [new Set<string>(), new Set<string>()];
  const edits: Edit[] = [];
  for (const { index, 0: all, 1: indent = '', 2: module = '', 3: list = '' } of text.matchAll(
    PY_FROM,
  )) {
    const names = list
      .split(/[(),\n]/)
      .flatMap((one) => /(\w+)\s*$/.exec(one.replace(/#.*/, ''))?.[1] ?? []);
    const ofWork = names.filter((name) => isWork(module) || isWork(joined(module, name)));
    const isAll = ofWork.length === names.length;
    for (const name of names) (isAll ? work : free).add(name);
    if (!isAll || names.length === 0) continue;
    const lines = all.split('\n').length - 1;
    const now = `${indent}${names.join(' = ')} = ${nothing}${'\n'.repeat(lines)}`;
    edits.push({ at: index, end: index + all.length, now });
  }
  for (const { index, 0: all, 1: indent = '', 2: list = '' } of text.matchAll(PY_IMPORT)) {
    const modules = list.split(',').map((one) => one.trim().split(/\s+as\s+/));
    const said = modules.map(([module = '', name = module.split('.', 1)[0] ?? '']) => {
      const isOfWork = isWork(module);
      (isOfWork ? work : free).add(name);
      const own = name === module.split('.', 1)[0] ? '' : ` as ${name}`;
      return isOfWork ? `${name} = ${nothing}` : `import ${module}${own}`;
    });
    if (said.every((one) => one.startsWith('import'))) continue;
    edits.push({ at: index, end: index + all.length, now: indent + said.join('; ') });
  }
  for (const [kind, now] of PY_DEMANDS) {
    for (const { index, 0: all } of text.matchAll(kind)) {
      edits.push({ at: index, end: index + all.length, now: now === '' ? nothing : now });
    }
  }
  for (const { index, 0: all } of text.matchAll(PY_TOLD)) {
    edits.push({ at: index, end: index + all.length, now: `.__class__ and ${nothing}` });
  }
  return { work, free, edits };
}

const joined = (module: string, name: string): string =>
  module.endsWith('.') ? module + name : `${module}.${name}`;
