import type { Command } from 'commander';

/** What can stand next, with a word on it. */
export interface Candidate {
  readonly word: string;
  readonly about: string;
}

/** Where goals are completed, by their name in the commands' usage. */
const OF_GOALS = 'goal';

export interface Place {
  readonly candidates: readonly Candidate[];
  /** The id of a goal can stand here as well. */
  readonly takesGoal: boolean;
}

/** What can stand behind these words. @param words behind the program's name, the last one unfinished */
export function placeOf(program: Command, words: readonly string[]): Place {
  const unfinished = words.at(-1) ?? '';
  let at = program;
  let given = 0;
  let isValue = false;
  for (const word of words.slice(0, -1)) {
    if (isValue) isValue = false;
    else if (word.startsWith('-')) {
      const option = at.options.find(({ long, short }) => long === word || short === word);
      isValue = option?.required === true || option?.optional === true;
    } else {
      const next = at.commands.find((one) => one.name() === word || one.aliases().includes(word));
      if (next === undefined) given += 1;
      else {
        at = next;
        given = 0;
      }
    }
  }
  if (isValue) return { candidates: [], takesGoal: false };
  const begins = ({ word }: Candidate) => word.startsWith(unfinished);
  if (unfinished.startsWith('-')) {
    const options = [...at.options, ...(at === program ? [] : program.options)];
    const all = options.flatMap(({ long, description }) =>
      long == null ? [] : [{ word: long, about: description }],
    );
    return { candidates: all.filter(begins), takesGoal: false };
  }
  const commands = at.commands.map((one) => ({ word: one.name(), about: one.summary() }));
  const takesGoal = at.registeredArguments[given]?.name() === OF_GOALS;
  return { candidates: commands.filter(begins), takesGoal };
}
