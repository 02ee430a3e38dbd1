import type { Compaction, KeptWords } from '../contract/compaction-record.ts';
import type { StoredMessage } from '../contract/conversation.ts';
import { escapeText } from './goal-block.ts';
import { renderPrompt } from './prompts.ts';
import { cutMiddle, shortened } from './shorten.ts';
import { namedOnly } from './shown-attachments.ts';

const AUTHORS = {
  model: 'you wrote them when it was left out.',
  host: 'the host listed the calls, because no summary could be had.',
} as const;

/**
 * The conversation as a request shows it: what people said in the part that was replaced, the
 * notes for the rest of it, then every message, of which old ones may be shortened. Made from the
 * record alone, so that it is the same after a restart, and the same from step to step.
 */
export function viewOf(
  messages: readonly StoredMessage[],
  compaction: Compaction | null,
): readonly StoredMessage[] {
  if (compaction === null) return messages;
  const { replacedThrough, shortenedThrough, shown } = compaction;
  const later = messages
    .filter(({ seq }) => seq > replacedThrough)
    .map((message) => (message.seq <= shortenedThrough ? shortened(message, shown) : message));
  if (replacedThrough === 0) return later;
  const said = messages.filter(({ seq, voice }) => voice === 'person' && seq <= replacedThrough);
  return [...keptOf(said, compaction.words), notesMessage(compaction, said), ...later];
}

function keptOf(
  said: readonly StoredMessage[],
  words: readonly KeptWords[],
): readonly StoredMessage[] {
  const shownOf = new Map(words.map(({ seq, shown }) => [seq, shown]));
  return said.flatMap((message) => {
    const shown = shownOf.get(message.seq);
    return shown === undefined ? [] : [cutWords(message, shown)];
  });
}

const cutKnown = new WeakMap<StoredMessage, { shown: number; message: StoredMessage }>();

function cutWords(message: StoredMessage, shown: number): StoredMessage {
  const before = cutKnown.get(message);
  if (before?.shown === shown) return before.message;
  const small = namedOnly(message);
  const text = cutMiddle(small.content.text, shown, `m${message.seq}`);
  const cut =
    text === small.content.text ? small : { ...small, content: { ...small.content, text } };
  cutKnown.set(message, { shown, message: cut });
  return cut;
}

const notesKnown = new WeakMap<Compaction, StoredMessage>();

function notesMessage(compaction: Compaction, said: readonly StoredMessage[]): StoredMessage {
  const before = notesKnown.get(compaction);
  if (before !== undefined) return before;
  const { replacedThrough, notes, notesBy, words } = compaction;
  const text = renderPrompt('compacted', {
    through: String(replacedThrough),
    left: leftOut(said, words),
    author: AUTHORS[notesBy ?? 'host'],
    notes: escapeText(notes ?? 'none'),
  });
  const message: StoredMessage = {
    seq: replacedThrough,
    turn: 0,
    step: null,
    voice: 'host',
    content: { text },
  };
  notesKnown.set(compaction, message);
  return message;
}

/** Lists the messages that had no room. */
function leftOut(said: readonly StoredMessage[], words: readonly KeptWords[]): string {
  const kept = new Set(words.map(({ seq }) => seq));
  const left = said.filter(({ seq }) => !kept.has(seq));
  if (left.length === 0) return '';
  const named = left.slice(-20).map(({ seq }) => `m${seq}`);
  return `, but for ${left.length} older ones (read them: ${named.join(', ')})`;
}
