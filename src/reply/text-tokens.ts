/** How a delegate's result comes back. */
type Returns = 'normal' | 'silent' | 'silent_wake' | 'post_compaction';

/** The call that a model without tool calling asks for by the end of its text. */
export type TextToken =
  | { readonly kind: 'work'; readonly seconds: number | null }
  | {
      readonly kind: 'delegate';
      readonly task: string;
      readonly returns: Returns | null;
      readonly seconds: number | null;
    }
  | { readonly kind: 'done' };

export interface TokenText {
  /** Without its tokens and the blanks before them; as it was where there is none. */
  readonly visible: string;
  readonly token: TextToken | null;
  /** The text that was taken off, for the model's own eyes. */
  readonly taken: string;
}

interface Taken {
  readonly token: TextToken;
  /** The text before it. */
  readonly rest: string;
}

/**
 * Reads the tokens that end a text: each alone on the last line or behind a finished sentence, and
 * nothing after it. Of several at the end a delegate wins over a wake, a wake over a claim, and of
 * two delegates the last. A token in prose, in quotes or in a code block is text like any other.
 */
export function readTextToken(text: string): TokenText {
  const found: TextToken[] = [];
  let rest = text.trimEnd();
  for (let taken = takeToken(rest); taken !== null; taken = takeToken(rest)) {
    found.push(taken.token);
    rest = taken.rest.trimEnd();
  }
  const of = (kind: TextToken['kind']) => found.find((token) => token.kind === kind);
  const token = of('delegate') ?? of('work') ?? of('done') ?? null;
  if (token === null || isInCodeBlock(rest)) return { visible: text, token: null, taken: '' };
  return { visible: rest, token, taken: text.slice(rest.length).trim() };
}

const takeToken = (text: string): Taken | null => takeBracket(text) ?? takeLine(text);

const NAME = /^\s*CONTINUE_DELEGATE\s*:/;

/** `[[CONTINUE_DELEGATE: task]]`, over several lines if need be; brackets inside must be paired. */
function takeBracket(text: string): Taken | null {
  if (!text.endsWith(']]')) return null;
  const open = text.lastIndexOf('[[');
  const body = text.slice(open + 2, -2);
  if (open === -1 || !NAME.test(body) || body.includes(']]') || !isPaired(body)) return null;
  const rest = text.slice(0, open);
  if (rest.lastIndexOf('[[') > rest.lastIndexOf(']]')) return null;
  return delegateOf(body.replace(NAME, ''), rest);
}

const isPaired = (body: string): boolean => body.split('[').length === body.split(']').length;

/** Behind the beginning of the line, or what ends a sentence or a bracket. */
const AT_END = '(?:^\\s*|[.!?。！？]\\s+|\\]\\]\\s*)';
const WORK = new RegExp(`${AT_END}CONTINUE_WORK(?::(\\d{1,9}))?$`);
const DONE = new RegExp(`${AT_END}DONE$`);

function takeLine(text: string): Taken | null {
  const start = text.lastIndexOf('\n') + 1;
  const line = text.slice(start);
  const before = text.slice(0, start);
  if (NAME.test(line) && !/\[\[|\]\]/.test(line)) return delegateOf(line.replace(NAME, ''), before);
  const work = WORK.exec(line);
  if (work !== null) {
    const seconds = work[1] === undefined ? null : Number(work[1]);
    return { token: { kind: 'work', seconds }, rest: before + without(line, 'CONTINUE_WORK') };
  }
  return DONE.test(line) ? { token: { kind: 'done' }, rest: before + without(line, 'DONE') } : null;
}

const without = (line: string, token: string): string => line.slice(0, line.lastIndexOf(token));

const RETURNS = /\|\s*(silent|silent[-_]wake|post[-_]compaction|normal)$/i;
const DELAY = /(?:^|\s)\+(\d{1,9})s$/;

/** Delay and mode may end a task in either order, each once; anywhere else they belong to it. */
function delegateOf(body: string, rest: string): Taken | null {
  let task = body.trim();
  let returns: Returns | null = null;
  let seconds: number | null = null;
  for (;;) {
    const mode = returns === null ? RETURNS.exec(task) : null;
    const delay: RegExpExecArray | null = seconds === null ? DELAY.exec(task) : null;
    if (mode === null && delay === null) break;
    if (mode !== null) returns = mode[1]?.toLowerCase().replace('-', '_') as Returns;
    else seconds = Number(delay?.[1]);
    task = task.slice(0, (mode ?? delay)?.index).trimEnd();
  }
  return task === '' ? null : { token: { kind: 'delegate', task, returns, seconds }, rest };
}

function isInCodeBlock(text: string): boolean {
  const fences = text.split('\n').filter((line) => /^\s*(```|~~~)/.test(line));
  return fences.length % 2 === 1;
}

/** The call that the token stands for: from here on the same rules hold for both. */
export function callFor(
  token: TextToken,
  visible: string,
): { readonly tool: string; readonly input: string } {
  const { tool, input } = askedBy(token, visible.trim());
  const given = Object.entries(input).filter(([, value]) => value !== null);
  return { tool, input: JSON.stringify(Object.fromEntries(given)) };
}

function askedBy(token: TextToken, text: string): { tool: string; input: object } {
  switch (token.kind) {
    case 'work': {
      const reason = text.slice(-300).trim() || 'to go on';
      return { tool: 'continue_work', input: { delaySeconds: token.seconds, reason } };
    }
    case 'delegate': {
      const { task, returns, seconds } = token;
      return { tool: 'delegate', input: { task, return: returns, delaySeconds: seconds } };
    }
    case 'done':
      return { tool: 'attempt_completion', input: { result: text.slice(0, 8000) || 'DONE' } };
  }
}
