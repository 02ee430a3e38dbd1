import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import { Header, type HeaderData } from 'tar';
import { expect, test } from 'vitest';
import { readArchive } from '../../src/sealed/archive.ts';

const END = Buffer.alloc(1024);

/** One entry as a tar holds it; `bytes` may differ from what the header says. */
function entry(path: string, text = '', more: HeaderData = {}, bytes = Buffer.from(text)): Buffer {
  const block = Buffer.alloc(512);
  const header = new Header({
    ...{ path, mode: 0o644, type: 'File', size: bytes.byteLength, mtime: new Date(0) },
    ...more,
  });
  header.encode(block, 0);
  const padding = Buffer.alloc((512 - (bytes.byteLength % 512)) % 512);
  return Buffer.concat([block, bytes, padding]);
}

const tar = (...entries: readonly Buffer[]): Buffer => Buffer.concat([...entries, END]);
const plain = entry('test/a.test.js', 'a');

/** Stored entries only, which is enough of the format. */
function zip(
  files: readonly { name: string; text: string; mode?: number; says?: number }[],
): Buffer {
  const { crc32 } = createRequire(import.meta.url)('node:zlib') as {
    crc32?: (text: string) => number;
  };
  const parts: Buffer[] = [];
  const central: Buffer[] = [];
  let at = 0;
  for (const { name, text, mode = 0o100644, says = text.length } of files) {
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt32LE(crc32?.(text) ?? 0, 10);
    fields.writeUInt32LE(text.length, 14);
    fields.writeUInt32LE(says, 18);
    fields.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name + text)]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((mode << 16) >>> 0, 6);
    rest.writeUInt32LE(at, 10);
    const version = Buffer.from([20, 3]);
    central.push(
      Buffer.concat([Buffer.from('PK\x01\x02'), version, fields, rest, Buffer.from(name)]),
    );
    parts.push(local);
    at += local.length;
  }
  const end = Buffer.alloc(18);
  const size = central.reduce((sum, one) => sum + one.length, 0);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(size, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...parts, ...central, Buffer.from('PK\x05\x06'), end]);
}

const namesOf = async (archive: Buffer) =>
  (await readArchive(archive)).map(({ path, mode }) => `${path} ${mode.toString(8)}`);

test.each([
  ['tar', tar(plain, entry('run.sh', 'true', { mode: 0o755 }))],
  ['tar.gz', gzipSync(tar(plain, entry('./run.sh', 'true', { mode: 0o700 })))],
  [
    'zip',
    zip([
      { name: 'test/a.test.js', text: 'a' },
      { name: 'run.sh', text: 'true', mode: 0o100755 },
    ]),
  ],
])('SEAL-7 the files of a %s are read with their modes', async (_, archive) => {
  expect((await namesOf(archive)).sort()).toEqual(['run.sh 755', 'test/a.test.js 644']);
});

const LINK = { linkpath: '/etc/passwd' };
const zeros = Buffer.alloc(9 * 1024 * 1024);

const refused: [string, Buffer, RegExp][] = [
  ['a link', tar(entry('a', '', { type: 'SymbolicLink', ...LINK })), /link or device/],
  ['a hard link', tar(plain, entry('b', '', { type: 'Link', ...LINK })), /link or device/],
  ['a device', tar(entry('null', '', { type: 'CharacterDevice' })), /link or device/],
  ['a pipe', tar(entry('pipe', '', { type: 'FIFO' })), /link or device/],
  ['a path outside', tar(entry('../a', 'a')), /leads out of the workspace/],
  ['a path outside, later', tar(entry('a/../../b', 'a')), /leads out of the workspace/],
  ['an absolute path', tar(entry('/etc/a', 'a')), /absolute/],
  ['a Windows path', tar(entry('C:/a', 'a')), /absolute/],
  ['a backslash', tar(entry('a\\..\\b', 'a')), /backslash/],
  ['a line break in a name', tar(entry('a\nb', 'a')), /no text/],
  ['git settings', tar(entry('.git/config', 'a')), /\.git or node_modules/],
  ['git settings in capitals', tar(entry('sub/.GIT/config', 'a')), /\.git or node_modules/],
  ['packages', tar(entry('node_modules/a/index.js', 'a')), /\.git or node_modules/],
  ['one name twice', tar(plain, plain), /twice/],
  ['a file that is a folder', tar(entry('a', 'a'), entry('a/b', 'b')), /twice/],
  ['nothing', tar(), /no file|damaged/],
  ['only folders', tar(entry('a/', '', { type: 'Directory' })), /no file/],
  ['a bomb', gzipSync(tar(entry('a', '', {}, zeros))), /far more than it is/],
  ['a larger bomb', gzipSync(Buffer.alloc(64 * 1024 * 1024)), /larger than/],
  ['a bomb in a bomb', gzipSync(gzipSync(tar(plain))), /damaged/],
  ['too many files', tar(...Array.from({ length: 1001 }, (_, i) => entry(`a${i}`, ''))), /1000/],
  ['too many bytes', tar(entry('a', '', {}, zeros), entry('b', '', {}, zeros)), /larger than/],
  ['a cut archive', tar(plain).subarray(0, 600), /damaged/],
  ['an edited header', tar(Buffer.from(plain).fill(0x41, 0, 20)), /damaged/],
  ['no archive', Buffer.from('just a text'), /damaged/],
  ['nothing at all', Buffer.alloc(0), /damaged/],
  ['a link in a zip', zip([{ name: 'a', text: '/etc/passwd', mode: 0o120777 }]), /link or device/],
  ['a path outside in a zip', zip([{ name: '../a', text: 'a' }]), /damaged|leads out/],
  ['an absolute path in a zip', zip([{ name: '/a', text: 'a' }]), /damaged|absolute/],
  ['a zip that says less', zip([{ name: 'a', text: 'aaaa', says: 1 }]), /damaged/],
  ['a zip that says more', zip([{ name: 'a', text: 'a', says: 2 ** 31 }]), /larger than|damaged/],
  [
    'one name twice in a zip',
    zip([
      { name: 'a', text: 'a' },
      { name: 'a', text: 'b' },
    ]),
    /twice/,
  ],
  ['an empty zip', zip([]), /no file/],
];

test.each(refused)(
  'SEAL-7 an archive with %s is refused, with the way out',
  async (_, archive, why) => {
    await expect(readArchive(archive)).rejects.toThrow(why);
    await expect(readArchive(archive)).rejects.toThrow(/: |pack the folder again/);
  },
);
