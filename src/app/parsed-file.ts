import { extname } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import type { Misfit } from '../../schema/misfits.ts';
import { ConfigError } from '../contract/config.ts';

/**
 * What a YAML or JSON text says; nothing is an empty object.
 * @param path the file that it is of, for errors
 * @throws ConfigError with line and column
 */
export function parsedText(path: string, text: string, wayOut: string): unknown {
  const lines = new LineCounter();
  // Every JSON text is YAML as well, and told with its line so.
  const document = parseDocument(text, { lineCounter: lines, logLevel: 'error' });
  // A warning is of a tag that nothing knows: its value would be another one than it says.
  const [fault] = [...document.errors, ...document.warnings];
  if (fault !== undefined) {
    const { line, col } = lines.linePos(fault.pos[0]);
    const kind = extname(path) === '.json' ? 'JSON' : 'YAML';
    const [why = ''] = fault.message.split(/ at line \d/);
    const place = `line ${line}, column ${col}: ${why.replace(/\s+/g, ' ')}`;
    throw new ConfigError(path, `is no ${kind} at ${place}`, wayOut);
  }
  // The limit is one of aliases that repeat others, which could grow beyond all memory.
  try {
    const content: unknown = document.toJS({ maxAliasCount: 100 }) ?? {};
    // An alias can lead into what holds it, and whoever walks such a thing never ends.
    JSON.stringify(content);
    return content;
  } catch (error) {
    const { message } = error as Error;
    const why = message.startsWith('Converting circular')
      ? 'an alias leads into what holds it'
      : message.replace(/\s+/g, ' ');
    throw new ConfigError(path, `can't be read: ${why}`, wayOut);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The text of a file. Bytes that are read as something else would change what it says.
 * @throws ConfigError
 */
export function textIn(path: string, bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new ConfigError(path, 'is not UTF-8', 'Save it as UTF-8.');
  }
}

/** Where in a file something is wrong. */
export const placeOf = ({ path }: Misfit): string => path.map(named).join('.') || 'it';

/** A name that could pass for a line of ours is told in quotes. */
const named = (name: PropertyKey): string =>
  /^[\w.*/-]+$/.test(String(name)) ? String(name) : JSON.stringify(String(name));
