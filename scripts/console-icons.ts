import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const CONSOLE = fileURLToPath(new URL('../src/ui/', import.meta.url));
const GENERATED = 'generated';
const FILE = 'icons.tsx';

interface Drawings {
  readonly icons: Readonly<Record<string, { readonly body: string }>>;
  readonly aliases?: Readonly<Record<string, { readonly parent: string }>>;
}

/**
 * A component for each icon of Tabler's that a file of the console imports. Tabler's own package for
 * React has a file for each icon there is, and was a third of what `npm ci` takes.
 */
export function generateConsoleIcons(): void {
  const drawings = require('@iconify-json/tabler/icons.json') as Drawings;
  const bodies = new Map<string, string>();
  for (const [name, { body }] of Object.entries(drawings.icons)) bodies.set(component(name), body);
  for (const [name, { parent }] of Object.entries(drawings.aliases ?? {}))
    bodies.set(component(name), drawings.icons[parent]?.body ?? '');
  const parts = importedIcons().map((name) => {
    const body = bodies.get(name);
    if (!body) throw new Error(`Tabler has no icon for ${name}: https://tabler.io/icons`);
    return `export const ${name} = drawn(<>${asJsx(body)}</>);\n`;
  });
  const text = [`import { drawn } from '../components/drawn.tsx';\n\n`, ...parts].join('');
  const path = join(CONSOLE, GENERATED, FILE);
  if (readIfThere(path) === text) return;
  mkdirSync(join(CONSOLE, GENERATED), { recursive: true });
  writeFileSync(path, text);
}

/** `server-2` is `IconServer2`. */
function component(name: string): string {
  const words = name.split('-').map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
  return `Icon${words.join('')}`;
}

function importedIcons(): string[] {
  const names = new Set<string>();
  for (const file of readdirSync(CONSOLE, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(file) || file.startsWith(GENERATED)) continue;
    const text = readFileSync(join(CONSOLE, file), 'utf8');
    const imports = text.matchAll(/import \{([^}]*)\} from '[^']*\/generated\/icons\.tsx'/g);
    for (const [, listed = ''] of imports)
      for (const name of listed.match(/\w+/g) ?? []) names.add(name);
  }
  return [...names].sort();
}

/** The drawing's paths alone: colour, ends and weight of its lines are the component's. */
function asJsx(body: string): string {
  return body.replaceAll(
    / (?:fill="none"|stroke="currentColor"|stroke-(?:linecap|linejoin|width)="[^"]*")/g,
    '',
  );
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
