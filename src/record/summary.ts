/** Most characters of a summary, as people count them: code points. */
export const SUMMARY_CHARACTERS = 500;

/** A long text cut to a summary that ends in an ellipsis. */
export const summaryOf = (text: string): string => trimmed(text, SUMMARY_CHARACTERS);

/**
 * At most `most` code points, the ellipsis among them, so that no character is cut in two. A text
 * that fits stays as it is.
 */
export function trimmed(text: string, most: number): string {
  if (text.length <= most) return text;
  // Enough code units for `most` code points and one more, however long the text is.
  const characters = [...text.slice(0, 2 * (most + 1))];
  if (characters.length <= most) return text;
  return `${characters
    .slice(0, most - 1)
    .join('')
    .trimEnd()}…`;
}
