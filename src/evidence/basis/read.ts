import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isBasisFile, packageBasis } from '../../goal/basis.ts';
import { takeFingerprint } from '../../tools/fingerprint.ts';

const sha256 = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex');

/** Hashes of everything in the workspace that its checks rest on. */
export async function readBasis(workspace: string): Promise<Record<string, string>> {
  const fingerprint = await takeFingerprint(workspace);
  const basis: Record<string, string> = {};
  for (const path of [...fingerprint.keys()].sort()) {
    if (path.endsWith('package.json')) Object.assign(basis, await readPackage(workspace, path));
    else if (isBasisFile(path)) Object.assign(basis, await hashFile(workspace, path));
  }
  return basis;
}

async function hashFile(workspace: string, path: string): Promise<Record<string, string>> {
  const content = await readFile(join(workspace, path)).catch(() => null);
  return content === null ? {} : { [path]: sha256(content) };
}

async function readPackage(workspace: string, path: string): Promise<Record<string, string>> {
  const text = await readFile(join(workspace, path), 'utf8').catch(() => null);
  if (text === null) return {};
  const folder = path.slice(0, -'package.json'.length);
  return Object.fromEntries(
    Object.entries(packageBasis(text)).map(([name, value]) => [`${folder}${name}`, sha256(value)]),
  );
}
