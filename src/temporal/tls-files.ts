import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { rootCertificates } from 'node:tls';
import { type TemporalTls, TemporalTlsError } from '../contract/temporal-tls.ts';

export interface TlsFiles {
  readonly ca: Buffer;
  readonly client: { readonly cert: Buffer; readonly key: Buffer } | null;
}

/**
 * What the files hold now. Errors name a file without its folders: health checks show them.
 * @throws TemporalTlsError
 */
export function readTlsFiles({ caFile, client }: TemporalTls): TlsFiles {
  const ca = caFile === null ? Buffer.from(rootCertificates.join('\n')) : read(caFile);
  if (caFile !== null) certificate(ca, caFile);
  if (client === null) return { ca, client: null };
  const [cert, key] = [read(client.certFile), read(client.keyFile)];
  const own = certificate(cert, client.certFile);
  if (Date.parse(own.validTo) < Date.now()) {
    throw new TemporalTlsError('client_certificate_expired', own.validTo);
  }
  if (!fits(own, key)) {
    throw unreadable(client.keyFile, 'it is not the key of the certificate');
  }
  return { ca, client: { cert, key } };
}

export const isSame = (a: TlsFiles, b: TlsFiles): boolean =>
  a.ca.equals(b.ca) &&
  (a.client?.cert.equals(b.client?.cert ?? NOTHING) ?? b.client === null) &&
  (a.client?.key.equals(b.client?.key ?? NOTHING) ?? true);

const NOTHING = Buffer.alloc(0);

function read(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw unreadable(path, (error as NodeJS.ErrnoException).code ?? 'unreadable');
  }
}

function certificate(pem: Buffer, path: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw unreadable(path, 'it holds no certificate in PEM');
  }
}

function fits(own: X509Certificate, key: Buffer): boolean {
  try {
    return own.checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

const unreadable = (path: string, why: string): TemporalTlsError =>
  new TemporalTlsError('certificate_unreadable', `${basename(path)}: ${why}`);
