import { visible } from '../record/foreign-text.ts';
import type { Notice } from './notice.ts';

/*
 * Slack's wire of incoming webhooks. Foreign words stand in `plain_text` alone, where Slack reads no
 * marks; the only mark here is the link of the service's own. It is no button: Slack sends clicks on
 * those to the app as well, and warns where nobody takes them.
 */

/** Slack refuses a section with more, counted behind the escapes. */
const MOST_CHARACTERS = 3000;
const MOST_HEADER = 150;
const MOST_BLOCKS = 50;
/** Slack refuses messages with about 13,000 in all, which it documents nowhere. */
const MOST_IN_ALL = 10_000;

type Block =
  | { readonly type: 'header'; readonly text: PlainText }
  | { readonly type: 'section'; readonly text: PlainText | Marked };
interface PlainText {
  readonly type: 'plain_text';
  readonly text: string;
  readonly emoji: false;
}
interface Marked {
  readonly type: 'mrkdwn';
  readonly text: string;
  /** No names of channels and people are looked for. */
  readonly verbatim: true;
}

export function slackMessage(notice: Notice): object {
  const { title, objective, goalId, page, texts, approvals } = notice;
  const head = `${title}: ${objective}`;
  const blocks = [
    { type: 'header', text: plain(title, MOST_HEADER) },
    section(`${objective} (${goalId})`),
    ...texts.map(section),
    ...approvals.flatMap(({ question, link }) => [
      section(question),
      ...(link === null ? [] : [linked(link, 'Look and decide')]),
    ]),
  ] satisfies Block[];
  const foot = page === null ? [] : [linked(page, 'Open the goal')];
  return {
    // Shown where blocks are not, such as in the notification of a phone.
    text: escaped(head, MOST_CHARACTERS),
    mrkdwn: false,
    ...{ parse: 'none', link_names: false, unfurl_links: false, unfurl_media: false },
    blocks: [...fitting(blocks, MOST_BLOCKS - 2), ...foot],
  };
}

/** What comes too late for Slack's limits is left to the goal's page, and said to be. */
function fitting(blocks: readonly Block[], most: number): Block[] {
  let left = MOST_IN_ALL;
  const taken = blocks.slice(0, most).filter(({ text }) => {
    left -= text.text.length;
    return left >= 0;
  });
  return taken.length === blocks.length
    ? taken
    : [...taken, section('There is more than fits in here: look at the goal.')];
}

const section = (text: string): Block => ({ type: 'section', text: plain(text, MOST_CHARACTERS) });

const plain = (text: string, most: number): PlainText => ({
  type: 'plain_text',
  text: escaped(text, most),
  emoji: false,
});

/** A URL of the service holds none of Slack's signs. */
const linked = (url: string, words: string): Block => ({
  type: 'section',
  text: { type: 'mrkdwn', text: `<${url}|${words}>`, verbatim: true },
});

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** At most so many characters behind the escapes, none of which is cut in two. */
function escaped(text: string, most: number): string {
  const signs = Array.from(unpinged(visible(text)), (sign) => ESCAPES[sign] ?? sign);
  if (signs.join('').length <= most) return signs.join('') || ' ';
  let length = 1;
  const kept = signs.filter((sign) => {
    length += sign.length;
    return length <= most;
  });
  return `${kept.join('')}…`;
}

/** Slack leaves these alone without `<!…>`; a word joiner keeps it so for what reads them later. */
const unpinged = (text: string): string =>
  text.replace(/@(?=channel|here|everyone|group)/gi, '@\u2060');
