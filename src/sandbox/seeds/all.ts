import { go } from './go.ts';
import type { Toolchain } from './toolchain.ts';

/** Another toolchain is a file beside these and a line here. */
const toolchains: readonly Toolchain[] = [go];

/** Those that a tree with files of these names is of. */
export function toolchainsOf(names: Iterable<string>): Toolchain[] {
  const known = new Set(names);
  return toolchains.filter(({ marks }) => marks.some((mark) => known.has(mark)));
}
