import type { Author, RequestedCall, StoredMessage } from '../contract/conversation.ts';
import { withoutLineEnds } from '../record/foreign-text.ts';
import { escapeText } from './goal-block.ts';
import { cutMiddle } from './shorten.ts';
import { fileLine } from './shown-attachments.ts';

const SPEAKERS: Record<Author, string> = {
  person: 'a person',
  agent: 'a program',
  host: 'the host',
  model: 'the agent',
  tool: 'result',
};
/** Characters shown of a text, the largest that fits. */
const SHOWN = [3000, 1000, 300, 100];

/**
 * The conversation as one text, the input of a summary. Every line that somebody wrote is indented,
 * so that none of them can pass for the beginning of an entry.
 *
 * @param fits says whether a text is short enough; the oldest entries are dropped until one fits
 */
export function transcriptOf(
  messages: readonly StoredMessage[],
  notes: string | null,
  fits: (text: string) => boolean,
): string {
  const earlier = notes === null ? [] : [`[earlier notes]\n${indented(notes)}`];
  for (const shown of SHOWN) {
    const text = [...earlier, ...messages.map((message) => entry(message, shown))].join('\n');
    if (fits(text)) return text;
  }
  const entries = messages.map((message) => entry(message, SHOWN.at(-1) ?? 0));
  return newestOf(entries, earlier, fits);
}

/** Halves the entries until they fit: a few tries for any length. */
function newestOf(
  entries: readonly string[],
  earlier: readonly string[],
  fits: (text: string) => boolean,
): string {
  let kept = entries;
  for (;;) {
    kept = kept.slice(Math.ceil(kept.length / 2));
    const left = `[${entries.length - kept.length} older entries are left out]`;
    const text = [...earlier, left, ...kept].join('\n');
    if (fits(text) || kept.length === 0) return text;
  }
}

function entry({ seq, voice, content }: StoredMessage, shown: number): string {
  const of = content.callId === undefined ? '' : ` of ${content.callId} ${nameOf(content.tool)}`;
  const how = content.isError ? ', failed' : '';
  const text = indented(cutMiddle(content.text, shown, content.callId ?? `m${seq}`));
  const calls = (content.calls ?? []).map((call) => callEntry(call, shown, seq));
  const files = (content.attachments ?? []).map((file) => indented(`attached: ${fileLine(file)}`));
  return [`[m${seq} ${SPEAKERS[voice]}${of}${how}]`, text, ...files, ...calls]
    .filter(Boolean)
    .join('\n');
}

const callEntry = ({ callId, tool, input }: RequestedCall, shown: number, seq: number): string =>
  `[call ${callId} ${nameOf(tool)}]\n${indented(cutMiddle(input, shown, `m${seq}`))}`;

/** Models may invent names, so they are sanitized. */
const nameOf = (tool = ''): string => tool.replace(/\W/g, '_').slice(0, 64);

const LINE_END = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

const indented = (text: string): string =>
  text.trim() === ''
    ? ''
    : escapeText(text)
        .split(LINE_END)
        .map((line) => `  ${line}`)
        .join('\n');

/** Arguments that describe a call best. */
const TELLING = ['command', 'path', 'pattern', 'task', 'result', 'step', 'markdown'];
const SHOWN_OF_CALL = 160;

/**
 * Calls and their outcomes, newest last: notes that need no model.
 * @param fits says whether a text is short enough; the oldest lines are dropped until one fits
 */
export function listOfCalls(
  messages: readonly StoredMessage[],
  notes: string | null,
  fits: (text: string) => boolean,
): string {
  const ends = new Map(
    messages.flatMap(({ content }) =>
      content.callId === undefined ? [] : [[content.callId, content] as const],
    ),
  );
  const lines = messages
    .flatMap(({ content }) => content.calls ?? [])
    .map((call) => {
      const end = ends.get(call.callId);
      const outcome = end === undefined ? 'no result' : end.isError ? 'failed' : 'succeeded';
      return `- ${call.callId} ${nameOf(call.tool)} ${tellingPart(call.input)}: ${outcome}`;
    });
  const earlier = notes === null ? [] : [notes];
  if (earlier.length > 0 && !fits(notes ?? '')) return newestOf(lines, [], fits);
  const whole = [...earlier, ...lines].join('\n');
  return fits(whole) ? whole : newestOf(lines, earlier, fits);
}

function tellingPart(input: string): string {
  try {
    const fields = JSON.parse(input) as Record<string, unknown>;
    const found = TELLING.map((name) => fields[name]).find((value) => typeof value === 'string');
    return withoutLineEnds(String(found ?? ''))
      .replace(/\s+/g, ' ')
      .slice(0, SHOWN_OF_CALL);
  } catch {
    return '';
  }
}
