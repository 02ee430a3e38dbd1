import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type TLSSocket } from 'node:tls';

export interface Pair {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Certificates by openssl, in a folder of their own. */
export function createCertificates() {
  const folder = mkdtempSync(join(tmpdir(), 'goalkeeper-tls-'));
  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const pairOf = (name: string): Pair => ({
    certFile: join(folder, `${name}.crt`),
    keyFile: join(folder, `${name}.key`),
  });
  return {
    authority(name: string): Pair {
      const { certFile, keyFile } = pairOf(name);
      const out = ['-keyout', keyFile, '-out', certFile];
      openssl('req', '-x509', ...newKey, ...out, '-days', '2', '-subj', `/CN=${name}`);
      return pairOf(name);
    },
    /** A certificate for 127.0.0.1 or a client; of minus one day: one that has expired. */
    signed(name: string, by: Pair, days = 1, address = '127.0.0.1'): Pair {
      const { certFile, keyFile } = pairOf(name);
      const request = join(folder, `${name}.csr`);
      const names = ['-addext', `subjectAltName=IP:${address}`];
      const out = ['-keyout', keyFile, '-out', request];
      openssl('req', ...newKey, ...out, '-subj', `/CN=${name}`, ...names);
      const signer = ['-CA', by.certFile, '-CAkey', by.keyFile, '-CAcreateserial'];
      const valid = ['-days', String(days), '-copy_extensions', 'copy'];
      openssl('x509', '-req', '-in', request, ...signer, ...valid, '-out', certFile);
      return pairOf(name);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Ends TLS before a Temporal that speaks none; clients have to show a certificate of this authority. */
export async function startTlsProxy(target: string, server: Pair, authority: Pair) {
  const [host, port] = target.split(':');
  const open = new Set<Socket | TLSSocket>();
  const optionsOf = (own: Pair, trusted: Pair) => ({
    cert: readFileSync(own.certFile),
    key: readFileSync(own.keyFile),
    ca: readFileSync(trusted.certFile),
  });
  const options = { requestCert: true, rejectUnauthorized: true, ALPNProtocols: ['h2'] };
  const proxy = createServer({ ...options, ...optionsOf(server, authority) }, (socket) => {
    const behind = connect(Number(port), host);
    for (const [from, to] of [
      [socket, behind],
      [behind, socket],
    ] as const) {
      open.add(from);
      from.once('close', () => {
        open.delete(from);
        to.destroy();
      });
      from.on('error', () => {});
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port: own } = proxy.address() as { port: number };
  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    address: `127.0.0.1:${own}`,
    /** From now on it shows and trusts others, and all connections break. */
    change(next: Pair, trusted: Pair): void {
      proxy.setSecureContext(optionsOf(next, trusted));
      cut();
    },
    close: () =>
      new Promise<void>((resolve) => {
        proxy.close(() => resolve());
        cut();
      }),
  };
}
