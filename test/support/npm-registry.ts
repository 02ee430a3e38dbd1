import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Header, Pack, ReadEntry } from 'tar';
import { onTestFinished } from 'vitest';

/** Files of one package by path; `package.json` is made where it is missing. */
export type PackageFiles = Readonly<Record<string, string>>;

export interface NpmRegistry {
  readonly url: string;
  /** Addresses that were asked for, in order. */
  readonly asked: string[];
  /** The entry of this package in a lock file. */
  entry(name: string): { version: string; resolved: string; integrity: string };
  close(): Promise<void>;
}

/** Serves packages in version 1.0.0 as a registry does, without any network. */
export async function openNpmRegistry(
  packages: Readonly<Record<string, PackageFiles>>,
): Promise<NpmRegistry> {
  const archives = new Map<string, Buffer>();
  for (const [name, files] of Object.entries(packages)) {
    // No cache of an earlier test has them.
    archives.set(name, await packed(name, { ...files, 'own.txt': randomUUID() }));
  }
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '/').slice(1);
    asked.push(path);
    const name = path.split('/-/')[0] ?? '';
    const archive = archives.get(name);
    response.statusCode = archive === undefined ? 404 : 200;
    if (archive !== undefined && path === name) response.end(JSON.stringify(listOf(name)));
    else response.end(archive ?? '{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  onTestFinished(close);
  const entry = (name: string) => ({
    version: '1.0.0',
    resolved: `${url}${name}/-/${name.replace(/^@.*\//, '')}-1.0.0.tgz`,
    integrity: `sha512-${createHash('sha512')
      .update(archives.get(name) ?? '')
      .digest('base64')}`,
  });
  /** What managers ask for who make a lock file. */
  const listOf = (name: string) => {
    const { version, resolved: tarball, integrity } = entry(name);
    const shasum = createHash('sha1')
      .update(archives.get(name) ?? '')
      .digest('hex');
    const own = JSON.parse(packages[name]?.['package.json'] ?? '{}');
    const one = { name, version, ...own, dist: { tarball, integrity, shasum } };
    return { name, 'dist-tags': { latest: version }, versions: { [version]: one } };
  };
  return { url, asked, close, entry };
}

async function packed(name: string, files: PackageFiles): Promise<Buffer> {
  const pack = new Pack({ gzip: true, portable: true });
  const manifest = { 'package.json': JSON.stringify({ name, version: '1.0.0' }) };
  for (const [path, text] of Object.entries({ ...manifest, ...files })) {
    const size = Buffer.byteLength(text);
    const header = { path: `package/${path}`, mode: 0o644, size, type: 'File' as const };
    const entry = new ReadEntry(new Header({ ...header, mtime: new Date(0) }));
    entry.end(Buffer.from(text));
    pack.add(entry);
  }
  pack.end();
  return await buffer(Readable.from(pack as never));
}
