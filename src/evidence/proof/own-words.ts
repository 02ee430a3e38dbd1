import { randomInt } from 'node:crypto';
import type { Scope } from '../../../schema/scope.ts';
import { ownWords, type Renaming, renamingOf } from '../../proof/canaries/own-words.ts';
import type { Judge } from '../../proof/canaries/rounds.ts';
import { extensionsOf } from '../../proof/scope/code-files.ts';
import { scopeTest } from '../../proof/scope/scope.ts';
import { textsOf } from './judge-texts.ts';
import type { ProofTree } from './proof-tree.ts';

/** More code than that is not read for names; then the judge's own words are not asked about. */
const MOST_FILES = 2000;

export interface OwnWords extends Renaming {
  /** Texts of the judge in which they stand. */
  readonly texts: ReadonlyMap<string, string>;
}

/** The judge's own words, and other names for them; null where it has none. */
export async function ownWordsOf(
  { store, entries, original }: ProofTree,
  scope: Scope,
  { texts, tests, others }: Judge,
): Promise<OwnWords | null> {
  if (original === undefined) return null;
  const isWork = scopeTest(scope);
  const commands = texts.flatMap(({ path, text }) => (path === null ? [text] : []));
  const extensions = new Set(extensionsOf(texts.flatMap(({ path }) => path ?? [])));
  const paths = [...original.keys()];
  const code = paths.filter((path) => extensions.has(path.slice(path.lastIndexOf('.') + 1)));
  if (code.length === 0 || code.length > MOST_FILES) return null;
  const isJudge = (path: string | null) =>
    path !== null && !isWork(path) && entries.get(path)?.object === original.get(path)?.object;
  const all = await textsOf(store, original, code, MOST_FILES);
  const judge = all.flatMap(({ path, text }) =>
    path !== null && isJudge(path) ? [{ path, text }] : [],
  );
  const elsewhere = all.flatMap(({ path, text }) => (isJudge(path) ? [] : [text]));
  const words = ownWords(judge, [...elsewhere, ...commands, ...tests, ...others], paths);
  if (words.length === 0) return null;
  const said = new Set(judge.flatMap(({ text }) => text.match(/[A-Za-z_$][\w$]*/g) ?? []));
  const renaming = renamingOf(
    words,
    (word) => said.has(word),
    () => String.fromCharCode(97 + randomInt(26)),
  );
  const changed = judge.filter(({ text }) => renaming.rename(text) !== text);
  return { ...renaming, texts: new Map(changed.map(({ path, text }) => [path, text])) };
}
