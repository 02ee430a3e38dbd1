import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';

export const HISTORIES = fileURLToPath(new URL('../workflows/histories', import.meta.url));

/** One run of a goal's workflow, as the server wrote it down. */
export interface RecordedRun {
  readonly workflowId: string;
  readonly history: { readonly events: readonly Record<string, unknown>[] };
}

export const scenarioNames = (): string[] =>
  readdirSync(HISTORIES)
    .filter((file) => file.endsWith('.json.gz'))
    .map((file) => file.replace('.json.gz', ''))
    .sort();

export const readRuns = (name: string): RecordedRun[] =>
  JSON.parse(gunzipSync(readFileSync(join(HISTORIES, `${name}.json.gz`))).toString());

export function writeRuns(name: string, runs: readonly RecordedRun[]): number {
  const content = gzipSync(JSON.stringify(runs), { level: 9 });
  writeFileSync(join(HISTORIES, `${name}.json.gz`), content);
  return content.length;
}

/**
 * A fetched history as plain JSON that the replayer takes as it is (numbers for Longs, base64 for
 * bytes), and as if it had been recorded on nobody's machine.
 */
export const withoutMachine = (history: unknown): RecordedRun['history'] =>
  plain(history, '') as RecordedRun['history'];

function plain(value: unknown, key: string): unknown {
  if (typeof value === 'string') return neutral(value, key);
  if (value instanceof Uint8Array) return bytes(Buffer.from(value), key);
  if (Array.isArray(value)) return value.map((inner) => plain(inner, key));
  if (typeof value !== 'object' || value === null) return value;
  if ('toNumber' in value && typeof value.toNumber === 'function') return value.toNumber();
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, plain(inner, name)]),
  );
}

/** Payloads are JSON; nothing else of a history lies under the key `data`. */
const bytes = (value: Buffer, key: string): string =>
  (key === 'data' ? Buffer.from(scrubbed(value.toString())) : value).toString('base64');

function neutral(text: string, key: string): string {
  if (key === 'identity') return 'recorder';
  return key === 'stackTrace' ? '' : scrubbed(text);
}

const scrubbed = (text: string): string =>
  text
    .replaceAll(`:host:${hostname()}`, ':host:recorder')
    .replaceAll(/(goalkeeper:|"installation":")[0-9a-f]{16}\b/g, '$1recorder')
    .replaceAll(`@${hostname()}`, '@recorder')
    .replaceAll(/\btest-\d+-(\d+)/g, 'recorder-$1')
    .replaceAll(/(?:file:\/\/)?\/[^\s"'\\]*\/(workspace-\w+)/g, '/$1');

/** Every text of a recorded file, its payloads decoded: what a look for traces has to read. */
export function textsOf(value: unknown, key = ''): string[] {
  if (typeof value === 'string') {
    return [key === 'data' ? Buffer.from(value, 'base64').toString() : value];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    textsOf(inner, Array.isArray(value) ? key : name),
  );
}
