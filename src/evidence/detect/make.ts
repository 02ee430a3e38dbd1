import { type Detector, type FoundCheck, type Purpose, readText } from './found-check.ts';

const TARGETS: Readonly<Record<Purpose, readonly string[]>> = {
  test: ['test', 'check'],
  typecheck: ['typecheck'],
  lint: ['lint'],
  build: ['build'],
};

export const detectMake: Detector = async (workspace) => {
  const text =
    (await readText(workspace, 'Makefile')) ??
    (await readText(workspace, 'makefile')) ??
    (await readText(workspace, 'GNUmakefile')) ??
    '';
  const targets = new Set([...text.matchAll(/^([\w-]+)\s*:(?![:=])/gm)].map(([, name]) => name));
  return (Object.keys(TARGETS) as Purpose[]).flatMap((purpose): FoundCheck[] => {
    const name = TARGETS[purpose].find((target) => targets.has(target));
    return name === undefined ? [] : [{ purpose, command: `make ${name}` }];
  });
};
