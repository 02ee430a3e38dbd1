import type { FileContent } from './look.ts';
import type { Change } from './loose-commit.ts';

/** One change, as `git fast-import` reads it. */
export function* partsOf({ path, file }: Change): Generator<string | Buffer> {
  if (file === null) yield `D ${quoted(path)}\n`;
  else if ('content' in file) yield* fileParts(file.mode, path, file.content);
  else yield `M ${file.mode} ${file.object} ${quoted(path)}\n`;
}

/** One file, as `git fast-import` reads it. */
export function* fileParts(
  mode: string,
  path: string,
  content: Buffer,
): Generator<string | Buffer> {
  yield `M ${mode} inline ${quoted(path)}\ndata ${content.length}\n`;
  yield content;
  yield '\n';
}

export function gitMode({ kind, mode }: Pick<FileContent, 'kind' | 'mode'>): string {
  if (kind === 'link') return '120000';
  return mode & 0o100 ? '100755' : '100644';
}

/** Anything may stand in a name but a zero byte. */
export function quoted(path: string): string {
  const escaped = path.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n');
  return `"${escaped}"`;
}
