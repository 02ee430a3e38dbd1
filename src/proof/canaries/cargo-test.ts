import type { CanaryKind, Statement } from './canary.ts';

const STATEMENTS: readonly Statement[] = [
  ['assert_eq!', 'assert_eq!(1, 2);'],
  ['assert_ne!', 'assert_ne!(1, 1);'],
  ['assert!', 'assert!(1 > 2);'],
  ['panic!', 'panic!("x");'],
];

/** Macros hold for what stands below them, so the canaries stand at the end of each file. */
export const cargoTest: CanaryKind = {
  runner: 'cargo test',
  isOwn: ({ path, text }) => path.endsWith('.rs') && /#\[test\]/.test(text),
  plant: ({ id, text, path }) => {
    const nameOf = (index: number | string) => `${id}_${index}`;
    const tests = STATEMENTS.map(
      ([, code], index) => `    #[test]\n    fn ${nameOf(index)}() { ${code} }\n`,
    );
    const holds = `    #[test]\n    fn ${nameOf('holds')}() { assert_eq!(1, 1); }\n`;
    const block = `\n#[cfg(test)]\nmod ${id} {\n${tests.join('')}${holds}}\n`;
    return {
      text: text + block,
      // A source has more in it than its tests.
      bare: /(^|\/)tests\//.test(path) ? block : text + block,
      mustFail: new Map(STATEMENTS.map(([name], index) => [nameOf(index), name])),
      mustPass: nameOf('holds'),
    };
  },
};
