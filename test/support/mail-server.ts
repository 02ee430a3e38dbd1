import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface Mail {
  readonly to: readonly string[];
  readonly from: string;
  /** Unfolded, by names in lower case; a name that stands twice has both. */
  readonly headers: Readonly<Record<string, string>>;
  readonly raw: string;
  /** What its parts say, decoded. */
  readonly body: string;
}

export const MAIL_USER = 'goals@example.com';
export const MAIL_PASSWORD = 'pa:ss/word-of-mail';

/** A real SMTP server, which asks for its user. */
export async function startMail(options: SMTPServerOptions = {}) {
  const mails: Mail[] = [];
  const server = new SMTPServer({
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) =>
      username === MAIL_USER && password === MAIL_PASSWORD
        ? done(null, { user: username })
        : done(new Error('unknown')),
    onData(stream, { envelope }, done) {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('end', () => {
        const raw = Buffer.concat(pieces).toString();
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), ...parsed(raw) });
        done();
      });
    },
    ...options,
  });
  // Clients that leave at its certificate are what tests are about.
  server.on('error', () => {});
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    mails,
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise<void>((done) => server.close(() => done())),
  };
}

export type MailServer = Awaited<ReturnType<typeof startMail>>;

function parsed(raw: string): Pick<Mail, 'headers' | 'raw' | 'body'> {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const headers: Record<string, string> = {};
  for (const line of head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')) {
    const name = line.slice(0, line.indexOf(':')).toLowerCase();
    const value = line.slice(line.indexOf(':') + 1).trim();
    headers[name] = headers[name] === undefined ? value : `${headers[name]}\n${value}`;
  }
  const unfolded = rest.join('\r\n\r\n').replace(/=\r\n/g, '');
  const bytes = unfolded.replace(/=([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return { headers, raw, body: Buffer.from(bytes, 'latin1').toString() };
}
