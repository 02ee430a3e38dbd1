/**
 * What shows as nothing or moves what stands beside it. Tabs and ends of lines are layout, and two
 * joiners (U+200C, U+200D) belong to the spelling of words and signs.
 */
const UNSEEN = new RegExp(
  [
    '(?![\\t\\n])(?!\\r\\n)\\p{Control}',
    '[\\u00ad\\u061c\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff\\ufff9-\\ufffb]',
    '[\\u{e0000}-\\u{e007f}]',
  ].join('|'),
  'u',
);
const ALL_UNSEEN = new RegExp(`(${UNSEEN.source})`, 'gu');

export const hidesSigns = (text: string): boolean => UNSEEN.test(text);

/** `U+202E` */
export const nameOfSign = (sign: string): string =>
  `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** Where no element can stand, such as in an attribute. */
export const withNames = (text: string): string =>
  text.replace(ALL_UNSEEN, (sign) => `<${nameOfSign(sign)}>`);

/** Text and unseen signs by turns; the signs stand at odd places. */
export const bySigns = (text: string): readonly string[] => text.split(ALL_UNSEEN);

/** Each once, by its name, in the order in which they stand. */
export const signsIn = (text: string): readonly string[] => [
  ...new Set((text.match(ALL_UNSEEN) ?? []).map(nameOfSign)),
];
