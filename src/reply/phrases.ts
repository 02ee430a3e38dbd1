import type { TextSignals } from '../contract/turn-facts.ts';
import { languages } from './phrases/all.ts';
import { english } from './phrases/english.ts';
import type { Phrases } from './phrases/phrases.ts';

export const noSignals: TextSignals = {
  isEmpty: true,
  hasIntent: false,
  hasCompletion: false,
  hasSummary: false,
  plansSummary: false,
  waitsForPerson: false,
  asksDirectly: false,
};

/** A reply's signals, by its phrases. Code and quotations are not the model's own words. */
export function readSignals(text: string, own: OwnPhrases = NONE): TextSignals {
  const known = [...compiled, ...own];
  const prose = normalise(ownWords(text));
  const sentences = prose.split(/(?<=[.!?…])\s|\n/u);
  const says = (test: (compiled: Compiled, sentence: string) => boolean) =>
    sentences.some((sentence) => known.some((language) => test(language, sentence)));
  return {
    isEmpty: text.trim() === '',
    hasIntent: says((language, sentence) => language.intent.test(sentence)),
    hasCompletion: sentences.some((sentence) => claimsCompletion(known, sentence)),
    hasSummary: says((language, sentence) => language.summary.test(sentence)),
    plansSummary: says(
      (language, sentence) => language.intent.test(sentence) && language.summaryNoun.test(sentence),
    ),
    waitsForPerson: says((language, sentence) => language.waiting.test(sentence)),
    asksDirectly: asksPerson(lastQuestion(prose)),
  };
}

type Compiled = { readonly [Key in keyof Omit<Phrases, 'isUnspaced'>]: RegExp };

/** A fragment may end in a mark, such as a colon; then nothing is asked of what follows. */
const wordEnd = '(?:(?<=[^\\p{L}\\p{N}])|(?![\\p{L}\\p{N}]))';

const compiled: readonly Compiled[] = languages.map(compile);

/** What an operator adds, ready to be looked for. */
export type OwnPhrases = readonly Compiled[];

const NONE: OwnPhrases = [];

/** Phrases as somebody says them, in any case, as whole words. */
export function ownPhrases(given: Pick<Phrases, 'intent' | 'completion'>): OwnPhrases {
  const literal = (phrases: readonly string[]) =>
    phrases.map((phrase) => normalise(phrase).replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const [intent, completion] = [literal(given.intent), literal(given.completion)];
  if (intent.length + completion.length === 0) return NONE;
  const never = ['(?!)'];
  return [
    compile({
      intent: [...intent, ...never],
      completion: [...completion, ...never],
      unreal: english.unreal,
      ...{ summary: never, summaryNoun: never, waiting: never, address: never, opener: never },
    }),
  ];
}

function compile({ isUnspaced = false, ...phrases }: Phrases): Compiled {
  const any = (fragments: readonly string[]) =>
    isUnspaced ? new RegExp(fragments.join('|'), 'u') : wholeWords(fragments);
  const { intent, completion, unreal, summary, summaryNoun, waiting, address, opener } = phrases;
  const end = isUnspaced ? '' : '(?![\\p{L}\\p{N}])';
  return {
    intent: any(intent),
    completion: any(completion),
    unreal: any(unreal),
    summary: any(summary),
    summaryNoun: any(summaryNoun),
    waiting: any(waiting),
    address: any(address),
    opener: new RegExp(`^[¿\\s]*(?:${opener.join('|')})${end}`, 'u'),
  };
}

function wholeWords(fragments: readonly string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${fragments.join('|')})${wordEnd}`, 'u');
}

/**
 * "Once the bug is fixed" and "not yet" say nothing of the kind. Related languages read each other's
 * words, so one that reads a condition counts for all.
 */
function claimsCompletion(known: readonly Compiled[], sentence: string): boolean {
  const read = known.flatMap(({ completion, unreal }) => {
    const match = completion.exec(sentence);
    return match === null ? [] : [!unreal.test(sentence.slice(0, match.index))];
  });
  return read.length > 0 && read.every((isReal) => isReal);
}

function ownWords(text: string): string {
  return text
    .replace(/(^|\n)\s*(```|~~~)[\s\S]*?(\n\s*\2[^\n]*|$)/g, '\n')
    .replace(/`[^`\n]*`/g, ' ')
    .replace(/^\s*>.*$/gm, '')
    .replace(/"[^"\n]*"|“[^”\n]*”|«[^»\n]*»|„[^“”\n]*[“”]|「[^」\n]*」|『[^』\n]*』/g, ' ');
}

function normalise(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[’‘]/g, "'")
    .replace(/[。！？，：]/g, (mark) => `${WESTERN[mark]} `)
    .replace(/[*_#]/g, '')
    .replace(/[^\S\n]+/g, ' ')
    .trim();
}

const WESTERN: Readonly<Record<string, string>> = {
  '。': '.',
  '！': '!',
  '？': '?',
  '，': ',',
  '：': ':',
};

const listItem = /^\s*([-•+]|\(?[\da-z]{1,2}[.)])\s/;

/** The last sentence of the prose if it is a question; options listed below it don't hide it. */
function lastQuestion(prose: string): string {
  const lines = prose.split('\n').filter((line) => line.trim() !== '');
  const lastLine = lines.findLast((line, index) => index === 0 || !listItem.test(line)) ?? '';
  const closing = /\?\W*$/u.test(lastLine) ? lastLine : (lines.at(-1) ?? '');
  const sentence =
    closing
      .replace(/\s*\([^()]*\)\s*$/, '')
      .split(/(?<=[.!?…:])\s/u)
      .at(-1) ?? '';
  return /\?[^\p{L}\p{N}]*$/u.test(sentence) ? sentence : '';
}

const asksPerson = (question: string): boolean =>
  compiled.some(({ opener, address }) => opener.test(question) || address.test(question));
