import { interpreters, programOf, type SegmentWord } from '../shell/read/given-code.ts';
import type { Segment } from '../shell/read/segments.ts';
import { isBuilt } from './build-folders.ts';

const network = /\b(curl|wget|fetch|https?|aria2c|ncat|nc|lynx)\b/;

/** Unreviewed code for an interpreter: the output of a fetching command, or a URL. */
export function runsFromNetwork({ words, redirects }: Segment): boolean {
  const [program, ...args] = words;
  if (!isInterpreter(program)) return false;
  const isFetched = (text: string) => /[$<]\(|`/.test(text) && network.test(text);
  if (args.some(({ text, isFixed }) => !isFixed && isFetched(text))) return true;
  const readsInput = args.length === 0 || args[0]?.text === '-';
  if (readsInput && redirects.some(isFetched)) return true;
  return programOf(program) === 'deno' && args.some(({ text }) => /^https?:\/\//.test(text));
}

const removal =
  /\b(rmtree|rm_rf?|rmSync|rm|rimraf|removeSync|emptyDirSync|remove_tree|(?:rmdir(?:Sync)?(?=[^)]*recursive)))(?:\s*\(|\s+(?=['"]))\s*(?:(['"`])(.*?)\2)?/gs;

/** Code on the command line that deletes folders other than those that builds make again. */
export function destroysByCode({ words, redirects, isInWorkspace }: Segment): boolean {
  if (!isInterpreter(words[0])) return false;
  const code = [...words.slice(1).map(({ text }) => text), ...redirects];
  return code.some((text) =>
    [...text.matchAll(removal)].some(([, , , path = '']) => !(isInWorkspace && isBuilt(path))),
  );
}

const isInterpreter = (word: SegmentWord | undefined): boolean =>
  interpreters.test(programOf(word));
