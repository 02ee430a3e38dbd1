import { spawn } from 'node:child_process';
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, linkSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { readFileIfAny, writePrivateFile } from '../process/private-file.ts';
import { hostProgram } from '../sandbox/program-path.ts';
import { isSignedBy, readPublicKeys, type Signer } from './dsse.ts';

/** Who signs instead of the key in the home: a key that never leaves its KMS. */
export interface SignCommand {
  /** A shell command: it gets the bytes on stdin and writes the signature, nothing else. */
  readonly command: string;
  /** File with its public key, PEM. */
  readonly publicKey: string;
}

const PATIENCE_MS = 60_000;

export class SigningFailed extends Error {
  constructor(why: string) {
    super(`The proof could not be signed: ${why}`);
    this.name = 'SigningFailed';
  }
}

/** @throws SigningFailed */
export function openSigner(home: string, command: SignCommand | null): Signer {
  return command === null ? homeSigner(home) : commandSigner(command);
}

function homeSigner(home: string): Signer {
  const key = createPrivateKey(keptKey(join(home, 'proof-key.pem')));
  return { publicKey: createPublicKey(key), sign: async (bytes) => sign(null, bytes, key) };
}

/** The first process makes it; a link fails where another was faster, so that there is one only. */
function keptKey(path: string): string {
  const stored = readFileIfAny(path);
  if (stored !== null) {
    chmodSync(path, 0o600);
    return stored;
  }
  const { privateKey } = generateKeyPairSync('ed25519');
  const fresh = `${path}.${process.pid}.new`;
  writePrivateFile(fresh, privateKey.export({ type: 'pkcs8', format: 'pem' }) as string);
  try {
    linkSync(fresh, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(fresh, { force: true });
  }
  return readFileSync(path, 'utf8');
}

function commandSigner({ command, publicKey: path }: SignCommand): Signer {
  const publicKey = publicKeyIn(path);
  return {
    publicKey,
    async sign(bytes) {
      const signature = await runSigner(command, bytes);
      if (isSigned(publicKey, bytes, signature)) return signature;
      throw new SigningFailed(`what the command writes is no signature by the key in ${path}`);
    },
  };
}

function isSigned(key: KeyObject, bytes: Buffer, signature: Buffer): boolean {
  try {
    return isSignedBy(key, bytes, signature);
  } catch {
    return false;
  }
}

function publicKeyIn(path: string): KeyObject {
  const text = readFileIfAny(path);
  const [key, ...others] = (text === null ? null : readPublicKeys(text)) ?? [];
  if (key !== undefined && others.length === 0) return key;
  throw new SigningFailed(`${path} holds no public key (PEM, Ed25519 or ECDSA P-256)`);
}

async function runSigner(command: string, bytes: Buffer): Promise<Buffer> {
  const child = spawn(hostProgram('sh'), ['-c', command], {
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: PATIENCE_MS,
  });
  child.stdin.on('error', () => {});
  child.stdin.end(bytes);
  const [output, said, [code]] = await Promise.all([
    buffer(child.stdout),
    buffer(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  if (code === 0) return output;
  const why = said.toString('utf8').trim().slice(0, 300);
  throw new SigningFailed(`its command ended with ${code ?? 'a signal'}: ${why}`);
}
