import type { MailTarget, SlackTarget } from '../../schema/notify.ts';
import type { AddressRules } from '../contract/addresses.ts';
import type { NoticeSettings } from '../contract/config.ts';
import type { ClaimedDelivery } from '../contract/notices.ts';
import type { LedgerKeys } from '../store/ledger/ledger-keys.ts';
import { signLink } from './approval-link.ts';
import { mailMessage } from './mail-message.ts';
import { type Notice, noticeOf, type ToldApproval } from './notice.ts';
import { type Posted, post } from './post.ts';
import { sendMail } from './send-mail.ts';
import { slackMessage } from './slack-message.ts';

const HOUR_MS = 3_600_000;

export interface PeoplePorts {
  readonly notices: NoticeSettings;
  /** Name of the installation, for which alone its links count. */
  readonly installation: string;
  readonly addresses: AddressRules;
  readonly keys: LedgerKeys;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export async function toSlack(
  ports: PeoplePorts,
  target: SlackTarget,
  delivery: ClaimedDelivery,
  timeoutMs: number,
): Promise<Posted> {
  const url = ports.environment[target.urlEnv] ?? '';
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    return { kind: 'failed', error: `${target.urlEnv} holds no URL` };
  const notice = noticeFor(ports, target, delivery);
  if (notice === null) return NO_NOTICE;
  const body = JSON.stringify(slackMessage(notice));
  return post({ url, headers: {}, body, timeoutMs }, ports.addresses);
}

export async function toMail(
  ports: PeoplePorts,
  target: MailTarget,
  delivery: ClaimedDelivery,
  timeoutMs: number,
): Promise<Posted> {
  const { addresses, notices } = ports;
  const { mail: server } = notices;
  if (server === null) return { kind: 'failed', error: 'GOALKEEPER_SMTP_URL is not set' };
  const notice = noticeFor(ports, target, delivery);
  if (notice === null) return NO_NOTICE;
  const message = mailMessage(notice, { from: server.from, to: target.mailto });
  return sendMail(message, { server, addresses, timeoutMs });
}

const NO_NOTICE: Posted = { kind: 'failed', error: 'it tells nothing that people read' };

function noticeFor(
  { notices, keys, installation }: PeoplePorts,
  { as }: SlackTarget | MailTarget,
  { notificationId, body }: ClaimedDelivery,
): Notice | null {
  const { publicUrl, linkHours } = notices;
  const expiresAt = Date.now() + linkHours * HOUR_MS;
  // Of all that waits, a call alone is shown whole on the page of a link.
  const linkFor = (goalId: string, { kind, approvalId, asked }: ToldApproval): string | null => {
    if (as === undefined || asked === undefined || kind !== 'tool' || publicUrl === null)
      return null;
    const link = signLink(keys, installation, { goalId, approvalId, asked, as, expiresAt });
    return link === null ? null : `${publicUrl}/decide?link=${link}`;
  };
  return noticeOf(body, { notificationId, publicUrl, linkFor });
}
