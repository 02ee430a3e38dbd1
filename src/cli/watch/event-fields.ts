import type { ProgressEvent } from '../progress.ts';

export type Fields = Readonly<Record<string, unknown>>;

export const fieldsOf = ({ data }: Pick<ProgressEvent, 'data'>): Fields =>
  typeof data === 'object' && data !== null ? (data as Fields) : {};

export const turnOf = (event: ProgressEvent): number | null => {
  const { turn } = fieldsOf(event);
  return typeof turn === 'number' ? turn : null;
};

export const callIdOf = (event: ProgressEvent): string => String(fieldsOf(event).callId);
