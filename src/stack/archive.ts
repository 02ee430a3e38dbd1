import { buffer } from 'node:stream/consumers';
import { Parser, type ReadEntry } from 'tar';
import { type Entry, fromBufferPromise } from 'yauzl';

/** Far above the program that is looked for. */
const MOST_BYTES = 512 * 1024 * 1024;

/**
 * The content of one file of a tar archive, packed by gzip or not.
 * @throws where the archive holds no such file, a link, or a name that leads out of it
 */
export async function readTarEntry(archive: Buffer, wanted: string): Promise<Buffer> {
  return await new Promise((resolve, reject) => {
    let found: Promise<Buffer> | null = null;
    const onReadEntry = (entry: ReadEntry): void => {
      const name = entry.path.replace(/^\.\//, '');
      const isFile = entry.type === 'File' || entry.type === 'OldFile';
      const isFolder = entry.type === 'Directory';
      if (isAstray(name) || !(isFile || isFolder) || entry.size > MOST_BYTES) {
        parser.abort(new Error(`the archive holds what is no plain file: ${name}`));
      } else if (isFile && name === wanted) found = entry.concat();
      else entry.resume();
    };
    const parser: Parser = new Parser({ strict: true, onReadEntry });
    parser.on('error', reject);
    parser.on('end', () => (found === null ? reject(absent(wanted)) : resolve(found)));
    parser.end(archive);
  });
}

/**
 * The content of one file of a zip archive.
 * @throws where the archive holds no such file, a link, or a name that leads out of it
 */
export async function readZipEntry(archive: Buffer, wanted: string): Promise<Buffer> {
  const zip = await fromBufferPromise(archive, { lazyEntries: true });
  let found: Buffer | null = null;
  for await (const entry of zip.eachEntry()) {
    if (isLink(entry) || entry.uncompressedSize > MOST_BYTES) {
      throw new Error(`the archive holds what is no plain file: ${entry.fileName}`);
    }
    if (entry.fileName === wanted) found = await buffer(await zip.openReadStreamPromise(entry));
  }
  if (found === null) throw absent(wanted);
  return found;
}

const absent = (wanted: string): Error => new Error(`the archive holds no ${wanted}`);

const isAstray = (name: string): boolean =>
  name.startsWith('/') || name.split(/[/\\]/).includes('..');

const FILE_KIND = 0o170000;
const LINK = 0o120000;

/** Programs on Unix note the kind of a file in the upper half. */
const isLink = ({ externalFileAttributes }: Entry): boolean =>
  ((externalFileAttributes >>> 16) & FILE_KIND) === LINK;
