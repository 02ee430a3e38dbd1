/** One word of a shell's line that stands for exactly this text. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** The line that starts a program with these arguments. */
export const shellLine = (words: readonly string[]): string => words.map(shellWord).join(' ');
