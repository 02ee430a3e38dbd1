/** What a colour says; empty = nothing. */
export type Tone = 'ok' | 'warn' | 'bad' | 'accent' | 'keeper' | '';

/** The class that gives a text or a tag its tone. */
export const toneClass = (tone: Tone): string => (tone === '' ? '' : `tone-${tone}`);
