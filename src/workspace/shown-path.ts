/** What can't be seen, or moves what stands beside it; ordinary spaces are left. */
const UNSEEN = /(?! )[\p{C}\p{Z}]/gu;

/** A name that could be taken for another, or for several lines, is shown as a JSON string. */
export const shownPath = (path: string): string =>
  path.search(UNSEEN) === -1 ? path : JSON.stringify(path).replaceAll(UNSEEN, escaped);

const escaped = (found: string): string =>
  [...Array(found.length).keys()]
    .map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('');
