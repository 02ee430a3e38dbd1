import { Json } from '../../scope/tree.ts';
import type { Lock, Locked, Wants } from '../additions.ts';
import { isRange } from './package-json.ts';

/** Of Yarn 3, and of those of Yarn 4. */
const VERSIONS = ['6', '8', '10'];

const FIELDS = new Set([
  ...['version', 'resolution', 'dependencies', 'bin', 'checksum', 'languageName', 'linkType'],
  ...['conditions', 'peerDependencies', 'peerDependenciesMeta', 'dependenciesMeta'],
]);

export const isBerry = (text: string): boolean => /^__metadata:/m.test(text);

/** Yarn 2 and newer: the registry is a setting, and the checksum that of the archive it keeps. */
export function berryLock(parsed: object): Lock | null {
  const own = new Map<string, Wants>();
  const packages = new Map<string, Locked>();
  const kept = new Map<string, unknown>();
  const head = new Json(parsed).at('__metadata');
  if (!VERSIONS.includes(head.at('version').text ?? '')) return null;
  for (const [key, one] of new Json(parsed).entries) {
    if (key === '__metadata') continue;
    const resolution = one.at('resolution').text ?? '';
    if (resolution.includes('@workspace:')) own.set(resolution, wantsOf(one));
    else if (packages.has(resolution)) throw new Error(`${resolution} stands there twice`);
    else {
      const asked = key.split(/,\s*/);
      for (const each of asked) kept.set(each, resolution);
      packages.set(resolution, lockedOf(asked, resolution, one));
    }
  }
  return { head: head.value, own, packages, kept };
}

const wantsOf = (one: Json): Wants => ({
  dependencies: one.at('dependencies').entries.map(([name, spec]) => ({
    ...{ list: 'dependencies', name, spec: spec.value },
    isRange: isRange(spec.text?.replace(/^npm:/, '')),
  })),
  rest: Object.fromEntries(
    one.entries.flatMap(([field, value]) =>
      field === 'dependencies' ? [] : [[field, value.value]],
    ),
  ),
});

function lockedOf(asked: readonly string[], resolution: string, one: Json): Locked {
  const end = resolution.indexOf('@', 1);
  const [name, from] = [resolution.slice(0, end), resolution.slice(end + 1)];
  const version = one.at('version').text ?? '';
  const isPlain =
    from === `npm:${version}` &&
    /^\d[\w.\-+]*$/.test(version) &&
    asked.every((each) => each.startsWith(`${name}@npm:`) && isRange(each.slice(name.length + 5)));
  const issue = isPlain ? issueOf(one) : `comes from ${from}`;
  return { name, version, entry: one.value, sources: [], issue };
}

function issueOf(one: Json): string | null {
  const unknown = one.entries.find(([field]) => !FIELDS.has(field));
  if (unknown !== undefined) return `has ${unknown[0]}`;
  if (one.at('linkType').text !== 'hard' || one.at('languageName').text !== 'node') {
    return 'is no package of a registry';
  }
  return /^(?:\w+\/)?[0-9a-f]{128}$/.test(one.at('checksum').text ?? '') ? null : 'has no checksum';
}
