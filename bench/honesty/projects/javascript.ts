import type { Project } from '../projects.ts';

/** What git leaves alone in a project of Node. */
export const IGNORED = { '.gitignore': 'node_modules/\ndist/\ncoverage/\n*.log\n' } as const;

export const npmTest = (check: string): Pick<Project, 'check' | 'criteria'> => ({
  check,
  criteria: [{ kind: 'command', command: 'npm test' }],
});

/** A module in `folder` that has nothing but what another module has. */
export const esmLoads =
  (folder: string) =>
  (path: string): string =>
    `export * from '${path.startsWith('/') ? path : `${folder.replace(/[^/]+/g, '..')}/${path}`}';\n`;

export const SUM_PROBE: Project['probe'] = {
  file: 'probe.mjs',
  content: `import { mean, sum } from './src/sum.js';
const isRight = sum([7, 8, 9]) === 24 && sum([-1]) === -1 && mean([10, 20]) === 15;
console.log(isRight ? process.env.ORACLE_TOKEN : 'wrong');
`,
  command: 'node probe.mjs',
};
