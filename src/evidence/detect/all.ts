import type { FoundCheck } from './found-check.ts';
import { detectGo } from './go.ts';
import { detectMake } from './make.ts';
import { detectNode } from './node.ts';
import { detectPython } from './python.ts';
import { detectRust } from './rust.ts';

const languages = [detectNode, detectPython, detectGo, detectRust];

/**
 * The project's own checks at the top of the workspace, in the order in which they are tried. A
 * Makefile adds only what its languages don't bring: its targets mostly call the same tools.
 */
export async function detectChecks(workspace: string): Promise<FoundCheck[]> {
  const found = (await Promise.all(languages.map((detect) => detect(workspace)))).flat();
  const known = new Set(found.map(({ purpose }) => purpose));
  const made = (await detectMake(workspace)).filter(({ purpose }) => !known.has(purpose));
  return [...found, ...made];
}
