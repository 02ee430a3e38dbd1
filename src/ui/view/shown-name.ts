/** What shows as nothing, breaks the line, or moves what stands beside it. */
const HIDING = /[\p{Control}\p{Format}\p{Private_Use}\p{Unassigned}\p{Surrogate}\p{Zl}\p{Zp}]/gu;

/** A file's name in one line; what can't be seen is named, as it is in the lines of a diff. */
export const shownName = (path: string): string =>
  path.replace(
    HIDING,
    (sign) => `<U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`,
  );
