import { Json } from '../../scope/tree.ts';
import type { Lock, Locked } from '../additions.ts';
import { isIntegrity, isRange, registryOf } from './package-json.ts';

const FIELDS = new Set([
  ...['version', 'resolved', 'integrity', 'dependencies', 'optionalDependencies'],
]);

/** Yarn 1: an entry by each range that somebody asked for; it knows no packages of the project. */
export function classicLock(text: string, parsed: object): Lock | null {
  if (!/^# yarn lockfile v1$/m.test(text)) return null;
  const kept = new Map<string, unknown>();
  const packages = new Map<string, Locked>();
  for (const [asked, one] of new Json(parsed).entries) {
    const end = asked.indexOf('@', 1);
    const [name, range] = [asked.slice(0, end), asked.slice(end + 1)];
    const version = one.at('version').text ?? '';
    // One name and version may stand there for several archives.
    const archive = [one.at('resolved').text, one.at('integrity').text].join(' ');
    const key = `${name}@${version} ${archive}`;
    kept.set(asked, one.value);
    const issue = isRange(range) ? issueOf(one) : `comes from ${range}`;
    // The worst range that led to it tells where it comes from.
    if (packages.get(key)?.issue == null) {
      packages.set(key, { name, version, entry: one.value, sources: sourcesOf(name, one), issue });
    }
  }
  return { head: null, own: new Map(), packages, kept };
}

/** The address ends with a short digest, which the integrity stands for. */
function sourcesOf(name: string, one: Json): string[] {
  const address = one.at('resolved').text?.replace(/#[0-9a-f]{40}$/, '');
  return [registryOf(name, address) ?? address ?? 'nowhere'];
}

function issueOf(one: Json): string | null {
  const unknown = one.entries.find(([field]) => !FIELDS.has(field));
  if (unknown !== undefined) return `has ${unknown[0]}`;
  return isIntegrity(one.at('integrity').text) ? null : 'has no integrity';
}
