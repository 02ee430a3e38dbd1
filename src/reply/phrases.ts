import type { TextSignals } from '../contract/turn-facts.ts';
import { languages, type Phrases } from './phrase-data.ts';

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
export function readSignals(text: string): TextSignals {
  const prose = normalise(ownWords(text));
  const sentences = prose.split(/(?<=[.!?…])\s|\n/u);
  const says = (test: (compiled: Compiled, sentence: string) => boolean) =>
    sentences.some((sentence) => compiled.some((language) => test(language, sentence)));
  return {
    isEmpty: text.trim() === '',
    hasIntent: says((language, sentence) => language.intent.test(sentence)),
    hasCompletion: says(claimsCompletion),
    hasSummary: says((language, sentence) => language.summary.test(sentence)),
    plansSummary: says(
      (language, sentence) => language.intent.test(sentence) && language.summaryNoun.test(sentence),
    ),
    waitsForPerson: says((language, sentence) => language.waiting.test(sentence)),
    asksDirectly: asksPerson(lastQuestion(prose)),
  };
}

type Compiled = { readonly [Key in keyof Phrases]: RegExp };

/** A fragment may end in a mark, such as a colon; then nothing is asked of what follows. */
const wordEnd = '(?:(?<=[^\\p{L}\\p{N}])|(?![\\p{L}\\p{N}]))';

const compiled: readonly Compiled[] = languages.map(compile);

function compile(phrases: Phrases): Compiled {
  return {
    intent: wholeWords(phrases.intent),
    completion: wholeWords(phrases.completion),
    unreal: wholeWords(phrases.unreal),
    summary: wholeWords(phrases.summary),
    summaryNoun: wholeWords(phrases.summaryNoun),
    waiting: wholeWords(phrases.waiting),
    address: wholeWords(phrases.address),
    opener: new RegExp(`^[¿\\s]*(?:${phrases.opener.join('|')})(?![\\p{L}\\p{N}])`, 'u'),
  };
}

function wholeWords(fragments: readonly string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${fragments.join('|')})${wordEnd}`, 'u');
}

/** "Once the bug is fixed" and "not yet" say nothing of the kind. */
function claimsCompletion(language: Compiled, sentence: string): boolean {
  const match = language.completion.exec(sentence);
  return match !== null && !language.unreal.test(sentence.slice(0, match.index));
}

function ownWords(text: string): string {
  return text
    .replace(/(^|\n)\s*(```|~~~)[\s\S]*?(\n\s*\2[^\n]*|$)/g, '\n')
    .replace(/`[^`\n]*`/g, ' ')
    .replace(/^\s*>.*$/gm, '')
    .replace(/"[^"\n]*"|“[^”\n]*”|«[^»\n]*»|„[^“”\n]*[“”]/g, ' ');
}

function normalise(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[’‘]/g, "'")
    .replace(/[*_#]/g, '')
    .replace(/[^\S\n]+/g, ' ')
    .trim();
}

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
