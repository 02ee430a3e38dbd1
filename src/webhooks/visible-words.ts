/** What shows as nothing, or moves what stands beside it; line breaks and tabs are left. */
const UNSEEN = /(?![\t\n])[\p{Control}\p{Format}\p{Private_Use}\p{Unassigned}\p{Surrogate}]/gu;

/** Foreign text as a reader should see it: what hides or turns other signs is named. */
export const visible = (text: string): string =>
  text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(
      UNSEEN,
      (found) => `<U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`,
    );

export const oneLine = (text: string): string =>
  visible(text)
    .replace(/[\t\n]+/g, ' ')
    .trim();

/** For text and attributes in double quotes. */
export const inHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
