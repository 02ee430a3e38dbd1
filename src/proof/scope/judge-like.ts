import { alternatives } from '../../../schema/glob.ts';
import { extensionOf, isCode, nameOf } from './code-files.ts';

/*
 * Few rules instead of a list for each tool: what names say by their words, their extensions and
 * their place. What is in doubt is the judge's: a name too many here costs one question to a
 * person, a name too few costs a false proof.
 */

/** Words of tests and what they use, in any part of a path; `latest` and `Testimonial` are none. */
const TEST_WORD =
  /^(?:test(?!imon|ament)\w*|\w+tests|(?:conf|unit|py|self|doc|run|smoke|load|g|c|cpp|j|x|sub)test|r?specs?\d*|e2e|bench(?:es|mark|marks)?|jmh|bats|cypress|playwright|jest|vitest|mocha|jasmine|karma|chai|sinon|[jnx]unit|fixtures?|mock\w*|stub(?:s|bed)?|fakes?|dumm(?:y|ies)|goldens?|expected|expectations?|expects?|asserts?|assertions?|harness|suites?|setup)$/;

/** Folders of what tests use, and of code that others made: the whole name of a folder. */
const JUDGE_FOLDER =
  /^(?:x?t|support|matchers|snapshots?|cassettes|node_modules|bower_components|site-packages|vendor(?:ed)?|third[_-]?part(?:y|ies)|externals?|extern|deps|dist|buildsrc|build-logic|__pycache__|coverage)$/;

/** Folders beside the sources that build, check or configure. */
const BUILD_FOLDER =
  /^(?:scripts?|tools?|ci|hack|builds?|out|output|target|obj|cmake|m4|release|checks?|verify|lint)$/;
const CONFIG_FOLDER = /^(?:config|configs|conf|etc)$/;

/** Programs at the top, or in `bin`, that build or check. */
const BUILD_PROGRAM =
  /^(?:ci|builds?|make|release|check(?:s|er|ers)?|verify|verifier|validate|lint|webpack|rollup|esbuild|wallaby|tasks)$/;

/** Languages whose files run as they are; those of others are compiled into the product. */
const INTERPRETED = /^(?:|[cm]?[jt]sx?|py|sh|bash|zsh|rb|pl|pm|php|ps1|lua)$/;

const SOURCE_FOLDER = /^(?:src|lib|app|sources?|pkg|cmd|internal|include)$/;

/** Files that configure or build, by their whole name. */
const BUILD_FILE =
  /^(?:[a-z]+file|(?:gnu)?make(?:file|lists)\..+|(?:docker|rake|gulp|grunt|nox|fab|jake|task|just|make)file[.*].*|cmakelists\.txt|build\.(?:rs|zig|xml)|(?:site|user)customize\.py|(?:manage|dodo)\.py|package\.swift|mix\.exs|configure|wscript|goalkeeper\.(?:json|ya?ml)|scons(?:truct|cript)|.*\.(?:config|conf|workspace|stories|cy)\.\w+|.*\.gradle\.kts|.*\.min\.\w+)$/;

/** Expected outputs, configuration, manifests, locks, build files, schemas, and what was built. */
const JUDGE_EXTENSION =
  /^(?:snap|expected|approved|received|golden|out|exp|ref|want|stamp|feature|robot|t|exs|lock|lockb|sum|mod|work|toml|ini|cfg|conf|properties|rc|gradle|mk|mak|cmake|am|ac|m4|in|bazel|bzl|gemspec|\w+proj|slnx?|props|targets|cabal|nix|gypi?|ninja|sbt|rockspec|podspec|opam|pth|xsd|proto|graphql|gql|avsc|wsdl|thrift|fbs|prisma|pyc|pyo|pyd|so|o|a|obj|dll|dylib|class|jar|war|whl|exe|node|wasm|map|tsbuildinfo)$/i;

/** Words of data that a check reads. */
const DATA_WORD =
  /^(?:schemas?|cases?|baselines?|references?|oracle|truth|answers?|results?|approved|verified|received|snapshots?|package|manifest|lock|requirements|project|[tj]sconfig|configs?|conf|settings?|rules?|pipelines?|workflows?)$/;

const CONFIG_DATA = /^(?:jsonc?|json5|ya?ml|xml|plist)$/i;

const DOCUMENT =
  /\.(?:mdx?|rst|adoc)$|^(?:licen[cs]e|notice|readme|changelog|changes|history|authors|contributors|copying|todo)(?:\.txt)?$/i;

/** `packages/core/x.json` lies at the top of its package. */
const PACKAGE = /^(?:packages|apps|crates|modules|services|plugins|libs)\/[^/]+\//;

/** Does this file belong to what judges the work, by its name and place, or may it? */
export const isJudgeLike = (path: string): boolean =>
  judgesByName(path) || (isTopLevel(path) && !isNote(path));

/** Does the name itself say that the file belongs to what judges the work? */
export const judgesByName = (path: string): boolean => looksLikeJudge(path, !isNote(path));

const isNote = (path: string): boolean => isCode(path) || isDocument(path);

/**
 * Does the text of a glob speak of the judge's files, rather than cover them among others?
 * `schemas/**` speaks of data such as the path, and of no code in that folder.
 */
export function speaksOfJudge(glob: string, path = 'any.json'): boolean {
  return alternatives(glob).some((one) => {
    const text = skeletonOf(one);
    const hasExtension = /^[^*]+$/.test(extensionOf(text));
    const isData = !isCode(hasExtension ? text : path) && !isDocument(hasExtension ? text : path);
    return looksLikeJudge(text, isData) || (!hasExtension && looksLikeJudge(`${text}/*`, isData));
  });
}

function looksLikeJudge(path: string, isData: boolean): boolean {
  return (
    testsByName(path) ||
    (isData &&
      path
        .split('/')
        .flatMap(wordsOf)
        .some((word) => DATA_WORD.test(word))) ||
    (isTopLevel(path) && CONFIG_DATA.test(extensionOf(path)))
  );
}

/** Does the name say that the file tests, builds or configures, whatever it holds? */
export function testsByName(path: string): boolean {
  const segments = path.split('/');
  const folders = segments.slice(0, -1);
  const name = nameOf(path);
  const words = segments.flatMap(wordsOf);
  return (
    segments.some((segment) => /^\.(?!\.?$)/.test(segment)) ||
    words.some((word) => TEST_WORD.test(word)) ||
    folders.some((folder) => JUDGE_FOLDER.test(bare(folder))) ||
    /(?:^|\/)src\/it\//.test(path) ||
    isBesideSources(path, folders) ||
    BUILD_FILE.test(name.toLowerCase()) ||
    JUDGE_EXTENSION.test(extensionOf(path))
  );
}

/** `scripts/x` and `check.sh` judge; `src/scripts/x` and `src/check.ts` may be the product. */
function isBesideSources(path: string, folders: readonly string[]): boolean {
  const names = folders.map(bare);
  const source = names.findIndex((folder) => SOURCE_FOLDER.test(folder));
  const beside = source < 0 ? names : names.slice(0, source);
  const runs = !isCode(path) || INTERPRETED.test(extensionOf(path));
  const isProgram = isTopLevel(path) || (beside.length === names.length && names.at(-1) === 'bin');
  return (
    beside.some((folder) => BUILD_FOLDER.test(folder) || (runs && CONFIG_FOLDER.test(folder))) ||
    (runs &&
      isProgram &&
      BUILD_PROGRAM.test(
        nameOf(path)
          .replace(/\.[^.]*$/, '')
          .toLowerCase(),
      ))
  );
}

/** Examples and documents have manifests of their own, and are not the product. */
export const isAside = (path: string): boolean =>
  /(?:^|\/)(?:docs?|_?examples?|samples?|demos?|tutorials?|notebooks?|playgrounds?)(?:\/|$)/i.test(
    path,
  );

export const isDocument = (path: string): boolean => DOCUMENT.test(nameOf(path));

const isTopLevel = (path: string): boolean => !path.replace(PACKAGE, '').includes('/');

/** Without what only decorates a folder's name, as in `__snapshots__`. */
const bare = (folder: string): string =>
  folder.toLowerCase().replace(/^__(?!pycache)(.*)__$/, '$1');

/** `FooTest`, `foo_test` and `foo.test` have the same words. */
export function wordsOf(segment: string): string[] {
  return segment
    .replace(/([a-z0-9])(?=[A-Z])/g, '$1 ')
    .replace(/([A-Z])(?=[A-Z][a-z])/g, '$1 ')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/** A glob with a star for whatever may mean several things. */
function skeletonOf(glob: string): string {
  const plain = glob
    .replace(/^(\.\/+)+/, '')
    .replace(/\/+$/, '')
    .replace(/\\(.)/gs, (_, sign: string) => (/[\w.~@ -]/.test(sign) ? sign : '\uE001'))
    .replace(/\[[^\]/]*\]/g, '*');
  return withoutParentheses(plain).replace(/[*?]+/g, '*');
}

function withoutParentheses(text: string): string {
  const less = text.replace(/[@!+*?]?\([^()]*\)/g, '*');
  return less === text ? text : withoutParentheses(less);
}
