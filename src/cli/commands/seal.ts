import { readFile, stat } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { create } from 'tar';
import type { SealedHint } from '../../../schema/criteria.ts';
import type { Sealed, SealInput } from '../../../schema/sealed.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { assertFileEnds } from '../named-file.ts';
import { sealedText } from '../sealed-text.ts';
import { type CommonOptions, openSession, print, type Session } from '../session.ts';

export interface SealOptions extends CommonOptions {
  readonly command?: string;
  readonly review?: string;
  readonly files?: string;
  readonly name?: string;
  readonly about?: string;
  readonly hint?: string;
  readonly setup?: string;
}

/** Seals a criterion; a start names it by the id that is printed. */
export async function seal(options: SealOptions): Promise<ExitCode> {
  const session = openSession(options);
  const sealed = await sealIt(session, options);
  print(session, sealed, () => sealedText(sealed).join('\n'));
  return EXIT.complete;
}

export async function sealIt({ client }: Session, options: SealOptions): Promise<Sealed> {
  const { files } = options;
  const archive = files === undefined ? {} : { archive: await archiveOf(files) };
  const input: SealInput = { criterion: criterionOf(options), ...archive };
  return await client.send<Sealed>('POST', '/v1/sealed', input);
}

function criterionOf({
  command,
  review,
  name = 'sealed check',
  about = 'It does what the objective asks for, in all cases.',
  hint = 'none',
  setup,
}: SealOptions): SealInput['criterion'] {
  const told = { sealed: true as const, name, description: about };
  if ((command === undefined) === (review === undefined)) {
    throw new UsageError('A sealed criterion is a command or a review.', 'Give one of the two.');
  }
  if (review !== undefined) return { ...told, kind: 'review', rubric: review, hint: 'none' };
  // The service judges the word.
  const allowed = { hint: hint as SealedHint };
  const before = setup === undefined ? {} : { setup };
  return { ...told, kind: 'command', command: command ?? '', ...allowed, ...before };
}

/** A folder is packed with what it holds, links as links, which the service refuses. */
async function archiveOf(path: string): Promise<string> {
  await assertFileEnds(path, 'Name a folder, or a tar, tar.gz or zip.');
  const stats = await stat(path).catch(() => null);
  if (stats === null) {
    throw new UsageError(`There is no ${path}.`, 'Name a folder, or a tar, tar.gz or zip.');
  }
  if (!stats.isDirectory()) return (await readFile(path)).toString('base64');
  const packed = create({ cwd: path, gzip: true, portable: true }, ['.']);
  return (await buffer(packed as unknown as AsyncIterable<Buffer>)).toString('base64');
}
