import type { Source } from './scope/code-files.ts';

/*
 * A new file may take a name that led out of the workspace before: `#include <stdlib.h>` finds
 * `src/stdlib.h` first, and Perl's `use strict` finds `lib/strict.pm`. Everything that asks for the
 * name then asks the goal's file, the judge included.
 */

/** Languages in which a file of the workspace goes before one of the language's own. */
export type Shadowing = 'c' | 'python' | 'perl' | 'ruby' | 'script' | 'jvm';

const JVM = /\.(?:java|kt|groovy|scala)$/;
/** By such a file a library finds what implements its interface, a test runner its engines. */
const SERVICE = /(?:^|\/)META-INF\/services\/([^/]+)$/;

export function shadowingOf(path: string): Shadowing | null {
  if (/\.(?:h|hh|hpp|hxx|inc)$|\/include\/[^.]+$/.test(`/${path}`)) return 'c';
  if (/\.(?:py|pyi|pyx)$/.test(path)) return 'python';
  if (/\.p[ml]$/.test(path)) return 'perl';
  if (/\.[cm]?[jt]sx?$/.test(path)) return 'script';
  if (JVM.test(path) || SERVICE.test(path)) return 'jvm';
  return /\.rb$/.test(path) ? 'ruby' : null;
}

/** The names under which a folder on the search path may show this file: its ends. */
export function tailsOf(path: string): string[] {
  const segments = path.split('/');
  return segments.map((_, at) => segments.slice(at).join('/'));
}

/**
 * The name by which Python imports the file from the folder that it lies in; null inside of a
 * package, whose name goes before it.
 * @param isThere tells whether the workspace has a file
 */
export function pythonName(path: string, isThere: (path: string) => boolean): string | null {
  const segments = path.replace(/\.[^./]*$/, '').split('/');
  if (segments.at(-1) === '__init__') segments.pop();
  const name = segments.pop();
  const folder = segments.map((segment) => `${segment}/`).join('');
  return name === undefined || isThere(`${folder}__init__.py`) ? null : name;
}

/** The ends of a path without extension, under which a folder shows a module. */
export function moduleNamesOf(path: string): string[] {
  const module = path.replace(/(?:\.d)?\.[^./]*$/, '').replace(/\/index$/, '');
  return tailsOf(module);
}

/**
 * New files in a package that lay outside before: no file of the original declares it, and one of
 * them imports from it. An interface that a library looks up lies outside as well.
 */
export function jvmShadows(fresh: readonly Source[], original: readonly Source[]): string[] {
  const own = new Set(original.map(({ text }) => packageOf(text)));
  const imported = new Set(original.flatMap(({ text }) => packagesIn(text)));
  return fresh
    .filter(({ path, text }) => {
      const service = SERVICE.exec(path)?.[1];
      if (service !== undefined) return !own.has(service.replace(/\.[^.]*$/, ''));
      const name = packageOf(text);
      return !own.has(name) && imported.has(name);
    })
    .map(({ path }) => path);
}

export const packageOf = (text: string): string => /^\s*package\s+([\w.]+)/m.exec(text)?.[1] ?? '';

/** Of `import a.b.C`, `import a.b.*` and `import static a.b.C.d` each package that may be meant. */
const packagesIn = (text: string): string[] =>
  [...text.matchAll(/^\s*import\s+(?:static\s+)?([\w.]+)/gm)].flatMap(([, name = '']) =>
    name.split('.').map((_, at, parts) => parts.slice(0, at + 1).join('.')),
  );
