import { literalGlob } from '../../../schema/glob.ts';
import type { Scope } from '../../../schema/scope.ts';
import { extensionsOf, folderOf, isCode, nameOf } from './code-files.ts';
import { dataOfTests } from './data-of-tests.ts';
import { ecosystems } from './ecosystems/all.ts';
import { fallback } from './ecosystems/conventions.ts';
import type { Finding } from './finding.ts';
import { isDocument, isJudgeLike, speaksOfJudge } from './judge-like.ts';
import { filesOfCommands, filesOfRunners, filesThatDecide } from './named-files.ts';
import { scopeTest } from './scope.ts';
import { subjectsOf } from './subjects.ts';
import { type Project, reach, reachProduct, type Tree, treeOf } from './tree.ts';

/** What the host would let a goal change; an empty `change` comes with the reason for it. */
export type InferredScope = Readonly<Pick<Scope, 'change' | 'keep' | 'why'>>;

/** Globs with the reason for each. */
type Reasons = ReadonlyMap<string, string>;

/**
 * The product of a project by its own manifests and conventions. Only code counts, and what a
 * manifest names: data files, and whatever else is in doubt, stay the judge's.
 */
export function inferScope(project: Project): InferredScope {
  const tree = projectTree(project);
  if (tree.files.every(isNoJudge)) return everything;
  const findings = ecosystems.flatMap(({ findingsOf }) => findingsOf(tree));
  const product = globsOf(tree, findings);
  const all = product.size > 0 ? findings : fallback.findingsOf(tree);
  const change = product.size > 0 ? product : globsOf(tree, all);
  if (change.size === 0) return nothing('no manifest and no convention says what the product is');
  const kept = keptOf(tree, all, [...change.keys()], project.commands);
  const left = new Map([...change].filter(([glob]) => !kept.has(glob)));
  const scope = { change: [...left.keys()].sort(), keep: [...kept.keys()].sort() };
  if (!tree.files.some(scopeTest(scope))) {
    return nothing('all of what looks like the product may be the judge of it');
  }
  const reasons = new Map([...kept, ...left]);
  const globs = [...scope.change, ...scope.keep];
  return { ...scope, why: globs.map((glob) => ({ glob, reason: reasons.get(glob) ?? '' })) };
}

/** Files that the caller's globs cover though they judge, unless a glob names just that file. */
export function judgesCovered({ change, keep }: Given, project: Project): Reasons {
  const tree = projectTree(project);
  const isNamed = new Set(change);
  const isIn = scopeTest({ change, keep });
  const covered = (path: string) =>
    isIn(path) && !isNamed.has(path) && !isNamed.has(literalGlob(path) ?? '');
  const entries = ecosystems
    .flatMap(({ findingsOf }) => findingsOf(tree))
    .flatMap(({ kind, path }) => (kind === 'entry' ? [path] : []));
  const judges = [
    ...filesThatDecide(tree, project.commands),
    ...filesOfRunners(tree),
    ...unlessAll(builtToJudge(tree, project.commands), tree.files.filter(covered)),
    ...dataOfTests(tree, covered),
  ];
  return new Map(judges.filter(([path]) => covered(path) && !entries.includes(path)));
}

/** Where a scope holds no other code, what a test runs is the product. */
const unlessAll = (judges: Reasons, covered: readonly string[]): Reasons =>
  covered.filter(isCode).every((path) => judges.has(path)) ? new Map() : judges;

/** What the builds make only in order to run it as a test, by path. */
export const judgesBuilt = (project: Project): Reasons =>
  builtToJudge(projectTree(project), project.commands);

const builtToJudge = (tree: Tree, commands: readonly string[]): Reasons =>
  new Map(ecosystems.flatMap(({ judgesOf }) => [...(judgesOf?.(tree, commands) ?? [])]));

type Given = Readonly<Pick<Scope, 'change' | 'keep'>>;

function projectTree(project: Project): Tree {
  const readers = ecosystems.flatMap(({ imports }) => (imports === undefined ? [] : [imports]));
  return treeOf(project, readers);
}

/** A folder with notes at most has nothing that could judge the work; new tests still do. */
const everything: InferredScope = {
  change: ['*', '**'],
  keep: [],
  why: [{ glob: '**', reason: 'the folder holds nothing yet' }],
};

const isNoJudge = (path: string): boolean => isDocument(path) || /^\.git[^/]+$/.test(path);

const nothing = (reason: string): InferredScope => ({
  change: [],
  keep: [],
  why: [{ glob: '**', reason }],
});

/** Roots become globs of the languages in them; everything else is named file by file. */
function globsOf(tree: Tree, findings: readonly Finding[]): Reasons {
  const globs = new Map<string, string>();
  const add = (glob: string | null, reason: string) => {
    const isSafe = glob !== null && !speaksOfJudge(glob);
    if (isSafe && !globs.has(glob)) globs.set(glob, reason);
  };
  const roots = findings.filter(({ kind }) => kind === 'root');
  const isBelow = (path: string) => roots.some((root) => path.startsWith(`${root.path}/`));
  for (const { kind, path, reason } of findings) {
    if (kind === 'root' && !isBelow(path)) {
      add(codeGlob(tree, path, '**/'), reason);
      for (const program of programsIn(tree, path)) add(literalGlob(program), reason);
    }
    if (kind === 'flat') add(codeGlob(tree, path, ''), reason);
  }
  const isCovered = scopeTest({ change: [...globs.keys()], keep: [] });
  for (const { kind, path, reason } of findings) {
    const isFile = kind === 'file' || kind === 'entry';
    if (isFile && !isJudgeLike(path) && !isCovered(path)) add(literalGlob(path), reason);
  }
  return globs;
}

function codeGlob(tree: Tree, root: string, below: '' | '**/'): string | null {
  const isOwn = (file: string) => below !== '' || folderOf(file) === root;
  const code = tree.inside(root).filter((file) => isOwn(file) && !isJudgeLike(file));
  const extensions = extensionsOf(code);
  const folder = root === '' ? '' : literalGlob(root);
  if (extensions.length === 0 || folder === null) return null;
  const list = extensions.length === 1 ? extensions[0] : `{${extensions.join(',')}}`;
  return `${folder === '' ? '' : `${folder}/`}${below}*.${list}`;
}

/** `bin/cli` without an extension: code by its first line. */
const programsIn = (tree: Tree, root: string): string[] =>
  tree
    .inside(root)
    .filter((file) => !nameOf(file).includes('.') && !isJudgeLike(file))
    .filter((file) => tree.read(file)?.startsWith('#!') === true);

/** What lies in the globs and is the judge's nevertheless, with the reason. */
function keptOf(
  tree: Tree,
  findings: readonly Finding[],
  change: string[],
  commands: readonly string[],
): Reasons {
  const inside = tree.files.filter(scopeTest({ change, keep: [] }));
  const known = new Set(inside);
  const isInside = (path: string) => known.has(path);
  const entries = findings.filter(({ kind }) => kind === 'entry').map(({ path }) => path);
  const named = new Map([...filesOfCommands(tree, commands)].filter(([path]) => isInside(path)));
  const runners = [...filesOfRunners(tree)].filter(
    ([path]) => isInside(path) && !entries.includes(path),
  );
  for (const [path, reason] of runners) if (!named.has(path)) named.set(path, reason);
  const kept = new Map<string, string>();
  const add = (path: string, reason: string) => {
    const glob = keepGlob(path);
    if (!kept.has(glob)) kept.set(glob, reason);
  };
  for (const [path, reason] of named) add(path, reason);
  for (const [path, reason] of builtToJudge(tree, commands)) if (isInside(path)) add(path, reason);
  for (const { kind, path, reason } of findings) {
    const isMet = inside.some((file) => file === path || file.startsWith(`${path}/`));
    if (kind === 'kept' && isMet) add(path, reason);
  }
  for (const path of onlyOfCommands(tree, inside, entries, [...named.keys()])) {
    add(path, 'only what a criterion runs imports it');
  }
  for (const path of onlyOfTests(tree, inside, findings)) {
    add(path, 'tests import it, and no entry of the product does');
  }
  return kept;
}

/**
 * Files that nothing of the product imports, but what the criteria's commands name. What a test is
 * named after is of the product.
 */
function onlyOfCommands(
  tree: Tree,
  inside: readonly string[],
  entries: readonly string[],
  named: readonly string[],
): string[] {
  const ofJudges = reach(tree, named);
  const others = inside.filter((file) => !ofJudges.has(file));
  const judges = new Set(named);
  const isOpen = (path: string) => !judges.has(path) && !isJudgeLike(path);
  const ofProduct = reach(tree, [...entries, ...others], isOpen);
  const subjects = new Set(subjectsOf(inside, testsOf(tree)));
  const isOwn = (file: string) => ofProduct.has(file) || subjects.has(file);
  return inside.filter((file) => ofJudges.has(file) && !isOwn(file));
}

/**
 * Files that tests reach and nothing of the product does: a helper of tests among the sources. What
 * the product is, its entries tell in their root, and else the file that such a test is named after.
 */
function onlyOfTests(
  tree: Tree,
  inside: readonly string[],
  findings: readonly Finding[],
): string[] {
  const entries = findings.filter(({ kind }) => kind === 'entry').map(({ path }) => path);
  const closed = findings
    .filter(({ kind }) => kind === 'root')
    .map(({ path }) => `${path}/`)
    .filter((root) => entries.some((entry) => entry.startsWith(root)));
  const tests = testsOf(tree);
  const subjects = subjectsOf(inside, tests);
  if (closed.length === 0 && subjects.length === 0) return [];
  const ofTests = reach(tree, tests);
  const ofProduct = reachProduct(tree, [...entries, ...subjects]);
  const beside = reach(
    tree,
    tests.filter((one) => subjectsOf(subjects, [one]).length > 0),
  );
  return inside.filter(
    (file) =>
      ofTests.has(file) &&
      !ofProduct.has(file) &&
      (beside.has(file) || closed.some((root) => file.startsWith(root))),
  );
}

const testsOf = (tree: Tree): string[] =>
  tree.files.filter((file) => isCode(file) && isJudgeLike(file));

/** A name that no glob can mean is kept with its folder. */
function keepGlob(path: string): string {
  if (path === '') return '**';
  return literalGlob(path) ?? keepGlob(folderOf(path));
}
