import { randomInt } from 'node:crypto';
import type { Scope } from '../../../../schema/scope.ts';
import type { Judge } from '../../../proof/canaries/judge.ts';
import {
  copyOf,
  namesFiles,
  ownFiles,
  renamingFiles,
  saysFile,
  stemOf,
} from '../../../proof/canaries/own-files.ts';
import { ownWords, renamingOf } from '../../../proof/canaries/own-words.ts';
import type { Round } from '../../../proof/canaries/series.ts';
import { extensionOf, extensionsOf, isCode, nameOf } from '../../../proof/scope/code-files.ts';
import { isDocument, isJudgeLike } from '../../../proof/scope/judge-like.ts';
import { saysWhatRuns } from '../../../proof/scope/judged-files.ts';
import { scopeTest } from '../../../proof/scope/scope.ts';
import { isTestFile } from '../../../shell/file-kinds.ts';
import { textsOf } from '../judge-texts.ts';
import type { ProofTree } from '../proof-tree.ts';
import { contentsOf, isOpaque, otherwise } from './data-of-judge.ts';

/** A shorter name of a file could be guessed. */
const LEAST_LETTERS = 6;
/** More code than that is not read for names; then the judge's own are not asked about. */
const MOST_FILES = 2000;

/** Names that the judge gives, and other ones for them. */
export interface OwnNames {
  /** The round with other names for all, and then for words and for files alone. */
  readonly renames: readonly ((round: Round) => Round)[];
  /** What it printed by other names, by their own. */
  readonly undo: (output: string) => string;
  /** Of which file each is a copy. */
  readonly copies: ReadonlyMap<string, string>;
}

/** The judge's own names, and other ones for them; null where it has none. */
export async function ownNamesOf(
  tree: ProofTree,
  scope: Scope,
  judging: Judge,
): Promise<OwnNames | null> {
  const own = await ownOf(tree, scope, judging);
  if (own === null || own.words.length + own.files.length === 0) return null;
  const { judge, words, files } = own;
  const said = new Set(judge.flatMap(({ text }) => text.match(/[A-Za-z_]\w*/g) ?? []));
  const letter = () => String.fromCharCode(97 + randomInt(26));
  const stems = files.map(stemOf);
  const byFile = renamingOf(stems, (name) => said.has(name), letter, LEAST_LETTERS);
  const given = new Set(stems.flatMap((stem) => byFile.nameOf(stem) ?? []));
  const isFile = new Set(stems);
  const byWord = renamingOf(
    words.filter((word) => !isFile.has(word)),
    (name) => said.has(name) || given.has(name),
    letter,
  );
  const names = new Map(
    files.flatMap((path): [string, string][] => {
      const name = byFile.nameOf(stemOf(path));
      return name === undefined ? [] : [[path, name]];
    }),
  );
  const isWord = new Set(words);
  const withFiles = renamingFiles(names, (stem) => isWord.has(stem));
  const sources = new Map([...judge, ...own.data].map(({ path, text }) => [path, text]));
  const copies = new Map(
    [...names].flatMap(([path, name]) => (sources.has(path) ? [[copyOf(path, name), path]] : [])),
  );
  const isSaid = saysFile(
    judge.map(({ path, text }) => ({ path, text: withFiles(byWord.rename(text)) })),
  );
  /** The judge reads its copy: whoever reads it there is told something else. */
  const isLeft = (path: string) => !isTestFile(nameOf(path)) && !isSaid(path);
  const renaming = (rename: (text: string) => string, isCopied: boolean) => (round: Round) => {
    const now = (path: string | null) => round.get(path) ?? sources.get(path ?? '') ?? '';
    const inPlace = [...round.keys(), ...judge.map(({ path }) => path)].map(
      (path) => [path, path === null ? now(path) : rename(now(path))] as const,
    );
    const besides = [...(isCopied ? copies : [])].flatMap(([copy, path]) => [
      [copy, isOpaque(now(path)) ? now(path) : rename(now(path))] as const,
      ...(isLeft(path) ? [[path, otherwise(path, now(path))] as const] : []),
    ]);
    const isOther = ([path, text]: readonly [string | null, string]) =>
      round.has(path) || text !== sources.get(path ?? '');
    return new Map([...inPlace.filter(isOther), ...besides]);
  };
  const both = renaming((text) => withFiles(byWord.rename(text)), true);
  const isMixed = byWord.words.length > 0 && copies.size > 0;
  return {
    renames: isMixed ? [both, renaming(byWord.rename, false), renaming(withFiles, true)] : [both],
    undo: (output) => byWord.undo(byFile.undo(output)),
    copies,
  };
}

/** Words and files that the judge alone names, with its texts. */
async function ownOf(
  { store, entries, original }: ProofTree,
  scope: Scope,
  { texts, data: compared, tests, others }: Judge,
) {
  if (original === undefined) return null;
  const commands = texts.flatMap(({ path, text }) => (path === null ? [text] : []));
  const begun = new Set([...texts, ...compared].flatMap(({ path }) => path ?? []));
  const extensions = new Set(extensionsOf([...begun]));
  const paths = [...original].flatMap(([path, { kind }]) => (kind === 'file' ? [path] : []));
  const code = paths.filter((path) => extensions.has(extensionOf(path)));
  if (code.length === 0 || code.length > MOST_FILES) return null;
  const isWork = scopeTest(scope);
  const besideWork = new Set(paths.filter(isWork).map(topOf));
  // What lies beside the work and has no name of a test is product, even beyond the scope.
  const isJudge = (path: string) =>
    !isWork(path) &&
    entries.get(path)?.object === original.get(path)?.object &&
    (begun.has(path) || isJudgeLike(path) || !besideWork.has(topOf(path)));
  const read = async (some: readonly string[]) =>
    (await textsOf(store, original, some, MOST_FILES)).flatMap(({ path, text }) =>
      path === null ? [] : [{ path, text }],
    );
  const all = await read(code);
  const judge = all.filter(({ path }) => isJudge(path));
  const product = all.flatMap(({ path, text }) => (isJudge(path) ? [] : [text]));
  const elsewhere = [...product, ...commands];
  const manifests = (await read(paths.filter(saysWhatRuns))).map(({ text }) => text);
  const mayBeCopied = (path: string) =>
    extensions.has(extensionOf(path)) || !(isCode(path) || isDocument(path) || saysWhatRuns(path));
  const mayBeOwn = ownFiles({
    judge,
    files: paths.filter((path) => mayBeCopied(path) && isJudge(path)),
    elsewhere: [...elsewhere, ...manifests],
    paths,
  });
  const data = await contentsOf(
    store,
    original,
    mayBeOwn.filter((path) => !extensions.has(extensionOf(path))),
  );
  const isRead = new Set([...judge, ...data].map(({ path }) => path));
  const files = mayBeOwn.filter((path) => isRead.has(path));
  const isOwnFile = new Set(files);
  // A word may be called like a file that no text names, and like one that is copied.
  const isNamedByJudge = namesFiles(judge);
  const mayShare = (path: string) =>
    isOwnFile.has(path) || (isJudge(path) && !isNamedByJudge(path));
  const unnamed = paths.filter((path) => !mayShare(path));
  // A copy has the extension of its file.
  const named = [...unnamed, ...files.map(extensionOf)];
  const words = ownWords(judge, [...elsewhere, ...tests, ...others], named);
  return { judge, words, files, data };
}

const topOf = (path: string): string =>
  path.includes('/') ? path.slice(0, path.indexOf('/')) : '';
