/*
 * A new file may take a name that led out of the workspace before: `#include <stdlib.h>` finds
 * `src/stdlib.h` first, and Perl's `use strict` finds `lib/strict.pm`. Everything that asks for the
 * name then asks the goal's file, the judge included.
 */

/** Languages in which a file of the workspace goes before one of the language's own. */
export type Shadowing = 'c' | 'python' | 'perl' | 'ruby';

export function shadowingOf(path: string): Shadowing | null {
  if (/\.(?:h|hh|hpp|hxx|inc)$|\/include\/[^.]+$/.test(`/${path}`)) return 'c';
  if (/\.(?:py|pyi|pyx)$/.test(path)) return 'python';
  if (/\.p[ml]$/.test(path)) return 'perl';
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
