const CONTROL = /[\p{Control}\u2028\u2029]/u;

/** A name that could be taken for several lines is shown as a JSON string. */
export const shownPath = (path: string): string =>
  CONTROL.test(path) ? JSON.stringify(path) : path;
