import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MailServer, startMail } from '../support/mail-server.ts';
import { createCertificates, type Pair } from '../support/tls-proxy.ts';

const script = fileURLToPath(new URL('./mails-by-port.ts', import.meta.url));

let certificates: ReturnType<typeof createCertificates>;
let trusted: Pair;
const open: MailServer[] = [];
beforeAll(() => {
  certificates = createCertificates();
  trusted = certificates.authority('trusted');
});
afterAll(async () => {
  await Promise.all(open.map((one) => one.close()));
  certificates.remove();
});

async function serverOf({ keyFile, certFile }: Pair, more: object): Promise<MailServer> {
  const own = { key: readFileSync(keyFile), cert: readFileSync(certFile) };
  const server = await startMail({ ...own, ...more });
  open.push(server);
  return server;
}

/** By a process that trusts the one authority beside those of Node. */
async function sent(...ways: string[]): Promise<unknown[]> {
  const args = ['--import', 'tsx', script, ...ways];
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: trusted.certFile };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return JSON.parse(stdout);
}

test('a mail goes over TLS and STARTTLS that show a certificate of somebody trusted, for this host and this day, and over no other (NOTE-19)', async () => {
  const { signed } = certificates;
  const good = signed('good', trusted);
  const others = [
    signed('elsewhere', trusted, 1, '127.0.0.2'),
    signed('expired', trusted, -1),
    signed('stranger', certificates.authority('unknown')),
  ];
  const [tls, starting] = [{ secure: true }, { disabledCommands: [] }];
  const taking = [await serverOf(good, tls), await serverOf(good, starting)] as const;
  const refused = await Promise.all(
    others.flatMap((pair) => [serverOf(pair, tls), serverOf(pair, starting)]),
  );
  const told = await sent(
    ...[`tls:${taking[0].port}`, `starttls:${taking[1].port}`],
    ...refused.map(({ port }, index) => `${index % 2 === 0 ? 'tls' : 'starttls'}:${port}`),
  );
  const answered = { kind: 'answered', status: 250 };
  expect(told.slice(0, 2)).toEqual([answered, answered]);
  expect(taking.map(({ mails }) => mails.length)).toEqual([1, 1]);
  for (const one of told.slice(2)) expect(one).toMatchObject({ kind: 'failed' });
  expect(refused.flatMap(({ mails }) => mails)).toEqual([]);
});
