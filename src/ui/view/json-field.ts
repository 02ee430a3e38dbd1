/** An object as people edit it. */
export const jsonText = (value: object): string => JSON.stringify(value, null, 2);

/** What a field with JSON holds; nothing counts as an empty object. */
export function jsonIn(text: string): {
  readonly value: Readonly<Record<string, unknown>>;
  readonly problem: string;
} {
  if (text.trim() === '') return { value: {}, problem: '' };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { value: value as Record<string, unknown>, problem: '' };
    }
    return { value: {}, problem: 'It has to be a JSON object: { … }.' };
  } catch (error) {
    return { value: {}, problem: `It is not JSON: ${(error as Error).message}` };
  }
}
