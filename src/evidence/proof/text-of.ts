import { isUtf8 } from 'node:buffer';

/** What is no UTF-8 has a sign for each byte, so that what is written back is what was read. */
export const textOf = (content: Buffer): string => content.toString(encodingOf(content));

/** A text of this file, as it is written. */
export const bytesOf = (text: string, file: Buffer): Buffer => Buffer.from(text, encodingOf(file));

const encodingOf = (content: Buffer): BufferEncoding => (isUtf8(content) ? 'utf8' : 'latin1');
