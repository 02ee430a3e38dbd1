/**
 * Fragments of regular expressions, matched as whole words on lower-cased text with straight
 * apostrophes, single spaces and Western punctuation.
 */
export interface Phrases {
  /** Words stand without spaces between them, so a fragment counts wherever it stands. */
  readonly isUnspaced?: boolean;
  /** "I go on working." */
  readonly intent: readonly string[];
  /** "It is done." */
  readonly completion: readonly string[];
  /** Words before a completion phrase that make it a condition or a plan. */
  readonly unreal: readonly string[];
  /** Looks back at the whole work, or says goodbye. */
  readonly summary: readonly string[];
  /** Names a summary as the thing that comes next, after an intent. */
  readonly summaryNoun: readonly string[];
  /** Leaves the next move to the person. */
  readonly waiting: readonly string[];
  /** In a closing question: somebody is spoken to. */
  readonly address: readonly string[];
  /** A closing question that begins so asks for a word, even without a pronoun. */
  readonly opener: readonly string[];
}
