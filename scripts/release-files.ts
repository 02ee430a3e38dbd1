import { execFileSync } from 'node:child_process';
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Signer, signLine } from '../src/attest/dsse.ts';
import { type Built, provenanceOf } from './provenance.ts';

/**
 * Packs the release and writes what others check it by: the tarball's digest, its bill of materials
 * (CycloneDX) and where it was made from (in-toto, SLSA provenance v1). `RELEASE_KEY=key.pem` signs
 * the provenance.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'release');
const run = (file: string, args: readonly string[]): string =>
  execFileSync(file, args, { cwd: root, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });
const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { mode: 0o755 });
const startedAt = new Date().toISOString();
run('npm', ['run', '--silent', 'build']);
const packed = run('npm', ['pack', '--silent', '--pack-destination', folder]);
const tarball = packed.trim().split('\n').at(-1) ?? '';
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const bom = JSON.parse(run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev']));
// npm takes the name of the folder.
bom.metadata.component.name = manifest.name;
const sbom = `${tarball.replace(/\.tgz$/, '')}.cdx.json`;
writeFileSync(join(folder, sbom), `${JSON.stringify(bom, null, 2)}\n`);

const built: Built = {
  files: [tarball, sbom].map((name) => ({
    name,
    sha256: sha256(readFileSync(join(folder, name))),
  })),
  commit: run('git', ['rev-parse', 'HEAD']).trim(),
  isDirty: run('git', ['status', '--porcelain']).trim() !== '',
  lockSha256: sha256(readFileSync(join(root, 'package-lock.json'))),
  node: process.version,
  npm: run('npm', ['--version']).trim(),
  startedAt,
  finishedAt: new Date().toISOString(),
};
const statement = JSON.stringify(provenanceOf(built));
const signer = signerOf(process.env.RELEASE_KEY);
const provenance = join(folder, `${tarball}.intoto.jsonl`);
const line = signer === null ? statement : await signLine(signer, Buffer.from(statement));
writeFileSync(provenance, `${line}\n`);
const sums = built.files.map(({ name, sha256: digest }) => `${digest}  ${name}\n`).join('');
writeFileSync(join(folder, 'SHA256SUMS'), sums);
process.stdout.write(`${folder}: ${tarball}, ${sbom}, provenance ${signer ? '' : 'un'}signed\n`);

function signerOf(path: string | undefined): Signer | null {
  if (path === undefined) return null;
  const key = createPrivateKey(readFileSync(path));
  const digest = key.asymmetricKeyType === 'ec' ? 'sha256' : null;
  return { publicKey: createPublicKey(key), sign: async (bytes) => sign(digest, bytes, key) };
}
