import { createHmac } from 'node:crypto';

/**
 * What the host's words in a conversation carry, so that nobody else can speak as the host. It is
 * one for the whole goal, as another one for each request would void the provider's prompt cache;
 * it may be known to the model, since whatever others say is rid of it before the model reads it.
 *
 * @param key known to the service alone
 */
export const hostMarkOf = (key: Uint8Array, goalId: string): string =>
  createHmac('sha256', key).update(`host mark ${goalId}`).digest('hex').slice(0, 16);

const patterns = new Map<string, RegExp>();
const MOST_PATTERNS = 1000;

/** Also finds it in capitals and with invisible characters or blanks between the letters. */
function patternOf(mark: string): RegExp {
  const known = patterns.get(mark);
  if (known !== undefined) return known;
  if (patterns.size >= MOST_PATTERNS) patterns.clear();
  const made = new RegExp([...mark].join('[\\p{Cf}\\p{Zs}]*'), 'giu');
  patterns.set(mark, made);
  return made;
}

/** The text of somebody else, who must not speak as the host. */
export const withoutMark = (text: string, mark: string | undefined): string =>
  mark === undefined
    ? text
    : text.normalize('NFKC') === text
      ? plain(text, mark)
      : wide(text, mark);

const plain = (text: string, mark: string): string => text.replace(patternOf(mark), NOT_HOST);

/** Letters of other widths read like the plain ones. */
const wide = (text: string, mark: string): string => {
  const folded = text.normalize('NFKC');
  return folded.search(patternOf(mark)) === -1 ? text : plain(folded, mark);
};

const NOT_HOST = '[not the host]';

/** The host's words about a result, behind it. */
export const hostNote = (note: string, mark: string | undefined): string =>
  `\n[host${mark === undefined ? '' : ` ${mark}`}] ${note}`;
