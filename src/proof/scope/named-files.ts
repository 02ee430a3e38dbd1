import { isPathGlob, matchesWhole } from '../../../schema/glob.ts';
import { folderOf, isCode, nameOf } from './code-files.ts';
import { isJudgeLike } from './judge-like.ts';
import { recipesFor } from './makefile.ts';
import { join, jsonOf, type Tree, textOf, tomlOf } from './tree.ts';

/** A line that runs as a part of a check, and who says so. */
interface Line {
  readonly text: string;
  /** Where it may run. */
  readonly folders: readonly string[];
  readonly says: string;
  /** It is all that a shell runs, not a part of it. */
  readonly isWhole: boolean;
  /** What a shell runs of which it is a part. */
  readonly whole: string;
}

/** Path → reason, for every file that a criterion's command names, directly or through a script. */
export function filesOfCommands(
  tree: Tree,
  commands: readonly string[],
): ReadonlyMap<string, string> {
  const named = new Map<string, string>();
  for (const line of linesOf(tree, commands)) {
    for (const path of filesIn(tree, line)) {
      if (!named.has(path)) named.set(path, line.says);
    }
  }
  return named;
}

/**
 * The same for programs that a command ends with, not into a pipe: nothing but their own exit code
 * says whether they hold, as with `node src/verify.js`.
 */
export function filesThatDecide(
  tree: Tree,
  commands: readonly string[],
): ReadonlyMap<string, string> {
  const deciding = linesOf(tree, commands).flatMap((line) => {
    const program = line.isWhole ? programAtEnd(line.text) : undefined;
    if (program === undefined) return [];
    const run = filesIn(tree, { text: program, folders: line.folders });
    return run.map((path) => [path, `${line.says}, and ends with it`] as const);
  });
  return new Map(deciding);
}

/** A program that runs by its path, of which nothing but the exit code is looked at. */
export interface RunAlone {
  readonly program: string;
  readonly hasArguments: boolean;
}

/** Those that the commands run, directly or through a script or a recipe. */
export function programsRunAlone(tree: Tree, commands: readonly string[]): RunAlone[] {
  const wholes = new Set(linesOf(tree, commands).map(({ whole }) => whole));
  return [...wholes]
    .flatMap((whole) => whole.split(/&&|\|\||[;\n]/))
    .flatMap((command) => {
      const unheard = command.replace(/\d?>+\s*(?:&\d|\/dev\/null)/g, ' ').trim();
      const [, program, rest = ''] = BY_PATH.exec(unheard) ?? [];
      if (program === undefined || /[|>`]|\$\(.*\s/.test(unheard)) return [];
      return [{ program: program.replace(/^(?:\.\/)+/, ''), hasArguments: rest.trim() !== '' }];
    });
}

const BY_PATH = /^[@+-]*\s*(?:\w+=\S*\s+)*((?:\.{0,2}|[\w.${}()-]+)\/\S+)(.*)$/s;

/** What a command ends with, not into a pipe: interpreter and file, or module. */
export function programAtEnd(text: string): string | undefined {
  const last =
    text
      .trim()
      .split(/&&|\|\||[;\n]/)
      .at(-1) ?? '';
  return /[|<`]|\$\(/.test(last) ? undefined : PROGRAM.exec(last.trim())?.[0];
}

/** Up to the file that runs: what follows is given to it. */
const PROGRAM =
  /^(?:\w+=\S*\s+)*(?:(?:node|bun|deno|tsx|ts-node|python[\d.]*|ruby|perl|php|bash|sh|zsh)(?:\s+-(?!m\b|-test\b)\S+)*\s+(?:-m\s+)?[^\s-]\S*|\.{0,2}\/?\w\S*\/\S+)/;

/** The same for files that the configuration of a test runner names, such as what it sets up. */
export function filesOfRunners(tree: Tree): ReadonlyMap<string, string> {
  const named = new Map<string, string>();
  for (const config of tree.files.filter((file) => RUNNER_CONFIG.test(file))) {
    const line = { text: runnerText(tree, config), folders: [folderOf(config)] };
    for (const path of filesIn(tree, line)) named.set(path, `${config} names it`);
  }
  return named;
}

const RUNNER_CONFIG =
  /(?:^|\/)(?:package\.json|pyproject\.toml|conftest\.py|pytest\.ini|tox\.ini|phpunit\.xml(?:\.dist)?|bunfig\.toml|\.?(?:jest|vitest|vite|mocha|ava|karma|jasmine|playwright|cypress|wdio|tap|nyc|c8)(?:rc|\.conf|\.workspace)[^/]*|(?:GNUm|M|m)akefile)$/;

/** Fragments that a makefile reads. */
const INCLUDED = /^[-s]?include[ \t]+.+$/gm;

const RUNNERS = ['jest', 'mocha', 'ava', 'tap', 'nyc', 'c8', 'vitest', 'jasmine'];

/** What a configuration says of its runner; others speak of more than that. */
function runnerText(tree: Tree, config: string): string {
  const text = textOf(tree, config);
  if (/akefile$/.test(config)) return [...text.matchAll(INCLUDED)].join(' ');
  switch (nameOf(config)) {
    case 'package.json':
      return RUNNERS.flatMap((runner) => jsonOf(tree, config).at(runner).leaves).join(' ');
    case 'pyproject.toml':
      return tomlOf(tree, config).at('tool', 'pytest').leaves.join(' ');
    case 'conftest.py': {
      const [, names = ''] = /^pytest_plugins\s*=\s*([[(][^\])]*|[^\n]*)/m.exec(text) ?? [];
      return wordsOf(names)
        .map((name) => `-p ${name}`)
        .join(' ');
    }
    default:
      return text;
  }
}

/** The commands, and what they run by the name of a script or a target. */
function linesOf(tree: Tree, commands: readonly string[]): Line[] {
  const lines: Line[] = commands.map((text) => ({
    text,
    folders: ['', ...enteredBy(text)],
    says: `the criterion's command \`${text}\` names it`,
    isWhole: true,
    whole: text,
  }));
  const seen = new Set<string>();
  for (const line of lines) {
    for (const next of [...scriptsOf(tree, line), ...recipesOf(tree, line)]) {
      const key = `${next.says} ${next.text}`;
      if (!seen.has(key)) lines.push(next);
      seen.add(key);
    }
  }
  return lines;
}

/** `cd packages/core && …` and `make -C sub`. */
const enteredBy = (text: string): string[] =>
  [...text.matchAll(/(?:\bcd|\s-C|--cwd|--prefix|--dir)[\s=]+["']?([^\s;&|)"']+)/g)].flatMap(
    ([, folder = '']) => join('', folder) ?? [],
  );

const PACKAGE_RUNNER = /\b(?:npm|npx|yarn|pnpm|bun|turbo|nx|lerna|wireit|npm-run-all|run-[sp])\b/;

function scriptsOf(tree: Tree, { text }: Line): Line[] {
  if (!PACKAGE_RUNNER.test(text)) return [];
  const words = wordsOf(text).map((word) => (['t', 'tst'].includes(word) ? 'test' : word));
  const isRun = (script: string) =>
    words.some((word) =>
      word.endsWith('*') ? script.startsWith(word.slice(0, -1)) : word === script,
    );
  const manifests = tree.files.filter(
    (file) => nameOf(file) === 'package.json' && !file.includes('node_modules/'),
  );
  return manifests.flatMap((manifest) =>
    jsonOf(tree, manifest)
      .at('scripts')
      .entries.flatMap(([name, script]) =>
        isRun(name) || isRun(name.replace(/^(?:pre|post)/, ''))
          ? script.texts.map((one) => ({
              text: one,
              folders: [folderOf(manifest), ...enteredBy(one)],
              says: `the script ${name} of ${manifest} names it`,
              isWhole: true,
              whole: one,
            }))
          : [],
      ),
  );
}

function recipesOf(tree: Tree, { text, folders }: Line): Line[] {
  if (!/\b(?:g?make|just)\b/.test(text)) return [];
  const names = ['Makefile', 'makefile', 'GNUmakefile', 'justfile'];
  const files = folders.flatMap((folder) => names.map((name) => join(folder, name) ?? name));
  return files
    .filter((file) => tree.has(file))
    .flatMap((file) =>
      recipesFor(textOf(tree, file), wordsOf(text))
        .flatMap((whole) => commandsThatRun(whole).map((text) => ({ text, whole })))
        .map(({ text: recipe, whole }) => ({
          text: recipe,
          folders: [folderOf(file), ...enteredBy(recipe)],
          says: `a recipe of ${file} names it`,
          isWhole: false,
          whole,
        })),
    );
}

/** Commands of a recipe that run a file of the project; others compile or copy what they name. */
const commandsThatRun = (recipe: string): string[] =>
  recipe.split(/[;&|]+/).filter((command) => RUNS.test(command.trim()));

const RUNS =
  /^[@+-]*(?:\w+=\S*\s+)*(?:\S*\/|\$?[({]?(?:node|bun|deno|tsx|ts-node|python|ruby|perl|php|sh|shell|bash|zsh|env|time|npm|npx|yarn|pnpm|make|just|go run|cd)\b|\$[({]?MAKE\b|\S+\.\w+\b)/i;

const wordsOf = (text: string): string[] =>
  text.split(/[\s;&|<>()[\]{},'"`=]+/).filter((word) => word !== '');

/** What takes the next word for a module, with or without its extension. */
const LOADS =
  /^(?:node|bun|deno|tsx|ts-node|python[\d.]*|ruby|perl|php|-r|--require|--import|--loader)$/;

const DOTTED = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/;

/** What stands for the project's folder. */
const ROOT = /<rootDir>\/|\$\{?(?:PWD|CURDIR|INIT_CWD)\}?\/|\$\((?:pwd|CURDIR)\)\/|\bfile:\/\//g;

/** Files that the words of a line mean; a folder alone means none of the files in it. */
/** The examples in these files judge, and they are kept apart; the file itself is the work. */
const DOCTESTED = /-m\s+doctest\b[^;&|]*/g;

function filesIn(tree: Tree, { text, folders }: Pick<Line, 'text' | 'folders'>): string[] {
  const words = wordsOf(text.replace(ROOT, ' ').replace(DOCTESTED, ' '));
  const takesModules = /\b(?:java|kotlin|python[\d.]*|mvn|gradlew?)\b/.test(text);
  const files = words.flatMap((raw, at) => {
    const word = raw.replace(/::.*$|:\d.*$/, '').replace(/^\/+/, '');
    const before = words[at - 1] ?? '';
    if (/[*?]/.test(word)) return matching(tree, folders, word);
    const isModule =
      ['-m', '-p'].includes(before) || (takesModules && DOTTED.test(word) && !isCode(word));
    const isProgram = before === 'run' && word.startsWith('./');
    return [
      ...atPath(tree, folders, word, { isLoaded: LOADS.test(before), isProgram }),
      ...(isModule ? ofModule(tree, word) : []),
    ];
  });
  return [...new Set(files)];
}

const EXTENSIONS = ['js', 'cjs', 'mjs', 'ts', 'tsx', 'mts', 'cts', 'py', 'rb', 'sh'];
const MAINS = [...EXTENSIONS.map((extension) => `index.${extension}`), '__main__.py'];

function atPath(
  tree: Tree,
  folders: readonly string[],
  word: string,
  { isLoaded, isProgram }: { readonly isLoaded: boolean; readonly isProgram: boolean },
): string[] {
  const paths = folders.flatMap((folder) => join(folder, word) ?? []).filter((path) => path !== '');
  const found = paths.filter((path) => tree.has(path));
  if (found.length > 0) return found;
  const guessed = paths.flatMap((path) => [
    ...EXTENSIONS.map((extension) => `${path}.${extension}`),
    ...(isLoaded ? MAINS.map((main) => `${path}/${main}`) : []),
  ]);
  const loaded = isLoaded || word.includes('/') ? guessed.filter((path) => tree.has(path)) : [];
  const run = isProgram ? paths.flatMap((path) => goProgram(tree, path)) : [];
  if (loaded.length + run.length > 0) return [...loaded, ...run];
  // Which folder it runs in is not known: every file of that name may be meant.
  const end = word.replace(/^(?:\.{1,2}\/)+/, '');
  return isCode(end) ? tree.files.filter((file) => `/${file}`.endsWith(`/${end}`)) : [];
}

/** `go run ./internal/verify` runs a folder. */
const goProgram = (tree: Tree, folder: string): string[] =>
  tree.inside(folder).filter((file) => folderOf(file) === folder && file.endsWith('.go'));

/** `*.check.js` names files; `src/*.ts` names all code, and so none as the judge's. */
function matching(tree: Tree, folders: readonly string[], word: string): string[] {
  if (!/\w/.test(nameOf(word).replace(/\.\w+$/, ''))) return [];
  return folders.flatMap((folder) => {
    const glob = join(folder, word);
    if (glob === null || !isPathGlob(glob)) return [];
    return tree.files.filter((file) => matchesWhole(glob, file));
  });
}

/** `checks.run` and `com.example.Check`, wherever their language's path may begin. */
function ofModule(tree: Tree, dotted: string): string[] {
  const parts = dotted.split('.');
  for (let length = parts.length; length > 0; length -= 1) {
    const path = parts.slice(0, length).join('/');
    const ends = [`${path}.py`, `${path}/__main__.py`, `${path}.java`, `${path}.kt`];
    const files = tree.files.filter((file) =>
      ends.some((end) => file === end || file.endsWith(`/${end}`)),
    );
    if (files.length > 0 || length === 1) return files.filter((file) => !isJudgeLike(file));
  }
  return [];
}
