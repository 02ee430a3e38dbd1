import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Parser, type ReadEntry } from 'tar';
import { type Entry, fromBufferPromise } from 'yauzl';
import type { SealedFile } from '../contract/sealed.ts';
import { doublePath, pathProblem } from '../proof/sealed/file-names.ts';

const MOST_FILES = 1000;
/** Of all files together, unpacked. */
const MOST_BYTES = 16 * 1024 * 1024;
/** A larger share is no text that anybody wrote. */
const MOST_RATIO = 200;
const RATIO_FROM_BYTES = 1024 * 1024;

/** What is wrong with an archive, and the way out. */
export class ArchiveRefused extends Error {
  constructor(why: string) {
    super(why);
    this.name = 'ArchiveRefused';
  }
}

/**
 * The files of a tar, tar.gz or zip archive; folders are left out.
 * @throws ArchiveRefused for anything but plain files inside of the workspace, within the limits
 */
export async function readArchive(archive: Buffer): Promise<SealedFile[]> {
  const taken = new Taken(archive.byteLength);
  try {
    if (isZip(archive)) await readZip(archive, taken);
    else await readTar(isGzip(archive) ? await unzipped(archive) : archive, taken);
  } catch (error) {
    if (error instanceof ArchiveRefused) throw error;
    throw new ArchiveRefused('it is damaged, or no tar, tar.gz or zip: pack the folder again.');
  }
  return taken.whole();
}

/** What was read so far, within the limits. */
class Taken {
  readonly #files: SealedFile[] = [];
  readonly #packed: number;
  #count = 0;
  #bytes = 0;

  constructor(packed: number) {
    this.#packed = packed;
  }

  /** Called with what the archive says of a file before the file is read. */
  announce(name: string, bytes: number): string {
    const path = name.replace(/^(?:\.\/)+/, '');
    const problem = pathProblem(path);
    if (problem !== null) {
      throw new ArchiveRefused(`${JSON.stringify(name.slice(0, 100))} ${problem}: rename it.`);
    }
    this.#count += 1;
    this.#bytes += bytes;
    if (this.#count > MOST_FILES) {
      throw new ArchiveRefused(`it holds more than ${MOST_FILES} files: send what is needed.`);
    }
    if (this.#bytes > MOST_BYTES) throw tooLarge();
    if (this.#bytes > RATIO_FROM_BYTES && this.#bytes > this.#packed * MOST_RATIO) throw bomb();
    return path;
  }

  add(path: string, content: Buffer, mode: number | undefined): void {
    this.#files.push({ path, content, mode: ((mode ?? 0) & 0o111) === 0 ? 0o644 : 0o755 });
  }

  whole(): SealedFile[] {
    if (this.#files.length === 0) {
      throw new ArchiveRefused('it holds no file: leave it out, or pack the folder again.');
    }
    const double = doublePath(this.#files.map(({ path }) => path));
    if (double === null) return this.#files;
    throw new ArchiveRefused(`${double} is there twice, or a file and a folder: keep one.`);
  }
}

const tooLarge = () =>
  new ArchiveRefused(`unpacked it is larger than ${MOST_BYTES / 1024 / 1024} MB: send less.`);
const bomb = () => new ArchiveRefused('it unpacks to far more than it is: send plain files.');

const isZip = (archive: Buffer): boolean => archive.subarray(0, 2).toString('latin1') === 'PK';
const isGzip = (archive: Buffer): boolean => archive[0] === 0x1f && archive[1] === 0x8b;
/** All programs of today write it. */
const isTar = (archive: Buffer): boolean =>
  archive.subarray(257, 262).toString('latin1') === 'ustar';

async function unzipped(archive: Buffer): Promise<Buffer> {
  // Headers and padding of a tar take up to 1 KB a file.
  const maxOutputLength = MOST_BYTES + MOST_FILES * 4096;
  const tar = await promisify(gunzip)(archive, { maxOutputLength }).catch((error) => {
    throw (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge() : error;
  });
  return tar;
}

async function readTar(archive: Buffer, taken: Taken): Promise<void> {
  if (!isTar(archive) || isGzip(archive)) throw new Error('no tar');
  const contents: Promise<void>[] = [];
  await new Promise<void>((resolve, reject) => {
    const refuse = (error: unknown): void => {
      reject(error);
      parser.abort(error as Error);
    };
    const onReadEntry = (entry: ReadEntry): void => {
      try {
        if (entry.type === 'Directory') {
          entry.resume();
          return;
        }
        assertPlain(entry.path, entry.type === 'File' || entry.type === 'OldFile');
        const path = taken.announce(entry.path, entry.size);
        const add = entry.concat().then((content) => taken.add(path, content, entry.mode));
        contents.push(add);
        add.catch(() => {});
      } catch (error) {
        refuse(error);
      }
    };
    const parser: Parser = new Parser({ strict: true, onReadEntry });
    parser.on('ignoredEntry', (entry: ReadEntry) => refuse(notPlain(entry.path)));
    parser.on('error', reject);
    parser.on('end', resolve);
    parser.end(archive);
  });
  await Promise.all(contents);
}

const FILE_KIND = 0o170000;
const [FOLDER, FILE] = [0o040000, 0o100000];

async function readZip(archive: Buffer, taken: Taken): Promise<void> {
  const zip = await fromBufferPromise(archive, { lazyEntries: true });
  for await (const entry of zip.eachEntry()) {
    const mode = entry.externalFileAttributes >>> 16;
    const kind = mode & FILE_KIND;
    const isFolder = entry.fileName.endsWith('/');
    assertPlain(entry.fileName, kind === 0 || kind === (isFolder ? FOLDER : FILE));
    if (isFolder) continue;
    const path = taken.announce(entry.fileName, entry.uncompressedSize);
    taken.add(path, await contentOf(zip, entry), mode);
  }
}

type Zip = Awaited<ReturnType<typeof fromBufferPromise>>;

/** The library ends a stream that is longer than its entry says. */
const contentOf = async (zip: Zip, entry: Entry): Promise<Buffer> =>
  await buffer(await zip.openReadStreamPromise(entry));

const notPlain = (name: string) =>
  new ArchiveRefused(
    `${JSON.stringify(name.slice(0, 100))} is a link or device: pack the files themselves.`,
  );

function assertPlain(name: string, isPlain: boolean): void {
  if (!isPlain) throw notPlain(name);
}
