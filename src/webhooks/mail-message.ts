import { createHash } from 'node:crypto';
import { visible } from '../record/foreign-text.ts';
import { inHtml } from './in-html.ts';
import type { Notice } from './notice.ts';

export interface MailMessage {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly messageId: string;
  readonly references: string;
  readonly inReplyTo: string;
  readonly date: Date;
  readonly headers: Readonly<Record<string, string>>;
}

const MOST_IN_SUBJECT = 120;

/**
 * The id is made of notification and recipient: a message that comes twice is told to be one. All
 * that a goal tells refers to one id that is nobody's, by which mail programs make a thread of it.
 */
export function mailMessage(
  notice: Notice,
  { from, to }: { from: string; to: string },
): MailMessage {
  const { notificationId, goalId, title, objective, at } = notice;
  const domain = from.slice(from.lastIndexOf('@') + 1);
  const recipient = createHash('sha256').update(to.toLowerCase()).digest('hex').slice(0, 16);
  const thread = `<${goalId}@${domain}>`;
  return {
    ...{ from, to },
    subject: unencoded(cut(`${title}: ${objective}`)),
    text: textOf(notice),
    html: htmlOf(notice),
    messageId: `<${notificationId}.${recipient}@${domain}>`,
    ...{ references: thread, inReplyTo: thread },
    date: new Date(at),
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Goalkeeper-Goal': goalId },
  };
}

/** Words that a mail program would decode stand as they are, and so do the signs in them. */
const unencoded = (text: string): string => text.replaceAll('=?', '= ?');

function cut(text: string): string {
  const signs = [...text];
  return signs.length <= MOST_IN_SUBJECT
    ? text
    : `${signs.slice(0, MOST_IN_SUBJECT - 1).join('')}…`;
}

function textOf({ title, objective, goalId, texts, approvals, page }: Notice): string {
  const asked = approvals.flatMap(({ question, link }) => [
    visible(question),
    ...(link === null ? [] : [`Look and decide: ${link}`]),
  ]);
  const foot = page === null ? [] : [`The goal: ${page}`];
  const parts = [`${title}: ${objective} (${goalId})`, ...texts.map(visible), ...asked, ...foot];
  return `${parts.join('\n\n')}\n`;
}

const paragraph = (text: string): string =>
  `<p style="white-space:pre-wrap">${inHtml(visible(text))}</p>`;

const linked = (url: string, words: string): string =>
  `<p><a href="${inHtml(url)}">${words}</a></p>`;

function htmlOf({ title, objective, goalId, texts, approvals, page }: Notice): string {
  const asked = approvals.flatMap(({ question, link }) => [
    paragraph(question),
    ...(link === null ? [] : [linked(link, 'Look and decide')]),
  ]);
  return [
    '<!doctype html><html lang="en"><body>',
    `<h1 style="font-size:1.2em">${inHtml(title)}</h1>`,
    paragraph(`${objective} (${goalId})`),
    ...texts.map(paragraph),
    ...asked,
    ...(page === null ? [] : [linked(page, 'Open the goal')]),
    '</body></html>',
  ].join('\n');
}
