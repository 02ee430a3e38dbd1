import { addressRules } from '../../src/net/addresses.ts';
import { mailMessage } from '../../src/webhooks/mail-message.ts';
import { sendMail } from '../../src/webhooks/send-mail.ts';
import { MAIL_PASSWORD, MAIL_USER } from '../support/mail-server.ts';

/**
 * Sends a mail to each `tls:PORT` or `starttls:PORT` that it is given, and prints what became of them.
 * A process of its own, since Node reads which authorities it trusts at its start.
 */
const told = [];
for (const way of process.argv.slice(2)) {
  const [how, port] = way.split(':');
  const notice = {
    ...{ notificationId: 'n-0123456789abcdef-7', goalId: 'g-0123456789abcdef' },
    ...{ at: '2026-01-02T03:04:05.000Z', title: 'A goal is complete', objective: way },
    ...{ texts: [], approvals: [], page: null },
  };
  const server = {
    ...{ host: '127.0.0.1', port: Number(port), isTls: how === 'tls', isPlain: false },
    ...{ user: MAIL_USER, password: MAIL_PASSWORD, from: 'goals@example.com' },
  };
  const message = mailMessage(notice, { from: 'goals@example.com', to: 'ada@example.com' });
  const addresses = addressRules(['127.0.0.1']);
  told.push(await sendMail(message, { server, addresses, timeoutMs: 10_000 }));
}
process.stdout.write(JSON.stringify(told));
