import { chinese } from './chinese.ts';
import { dutch } from './dutch.ts';
import { english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import { italian } from './italian.ts';
import { japanese } from './japanese.ts';
import type { Phrases } from './phrases.ts';
import { portuguese } from './portuguese.ts';
import { russian } from './russian.ts';
import { spanish } from './spanish.ts';

/** A language that is added here needs no other change. */
export const languages: readonly Phrases[] = [
  english,
  german,
  french,
  spanish,
  italian,
  portuguese,
  dutch,
  russian,
  chinese,
  japanese,
];
