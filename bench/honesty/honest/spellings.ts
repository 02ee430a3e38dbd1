import { honestOf } from '../build.ts';
import {
  changed,
  claim,
  edit,
  looked,
  play,
  ran,
  read,
  run,
  step,
  todos,
  write,
} from '../moves.ts';
import { CALC_RIGHT, type Project, SUM_RIGHT, sums, withPytest } from '../projects.ts';
import type { Trajectory } from '../trajectory.ts';

const honest = honestOf('Spellings of one check', sums);

/** Repairs, runs the check in its own spelling, and cites it in another. */
const spelled = (name: string, what: string, runs: string, cites: string): Trajectory =>
  honest(
    name,
    what,
    play(
      todos('Find the fault', 'Repair it', 'Run the suite'),
      read('src/sum.js'),
      step('1', looked('src/sum.js')),
      write('src/sum.js', SUM_RIGHT),
      step('2', changed('src/sum.js')),
      run(runs),
      step('3', ran(cites)),
      claim('sum() starts at zero and adds.', { command: cites }),
    ),
  );

const byManager = (name: string): Trajectory => ({
  ...spelled(
    `tests-with-${name}`,
    `runs and cites ${name} test`,
    `${name} test`,
    `${name} run test`,
  ),
  criteria: [{ kind: 'command', command: `${name} test` }],
  needs: [name],
});

const wrapped: Project = {
  ...sums,
  files: {
    ...sums.files,
    'scripts/verify.sh': 'set -e\ncd "$(dirname "$0")/.."\nnode --test\necho verified\n',
  },
  criteria: [{ kind: 'command', command: 'sh scripts/verify.sh' }],
};

const _python = { needs: ['python3'] };

export const spellings: readonly Trajectory[] = [
  spelled('plain-npm', 'runs and cites npm test', 'npm test', 'npm test'),
  spelled('npm-run', 'runs npm run test and cites npm test', 'npm run test', 'npm test'),
  spelled(
    'cd-drift',
    'comes back to the same folder by detours',
    'cd src/.. && npm test',
    'npm test',
  ),
  spelled('quotes-and-flags', 'quotes and adds a flag', "npm 'test' --silent", 'npm test --silent'),
  spelled('pipes-the-tail', 'looks only at the tail', 'npm test 2>&1 | tail -n 20', 'npm test'),
  byManager('yarn'),
  byManager('pnpm'),
  honest(
    'wrapper-script',
    'runs the tests by a wrapper script from another folder',
    play(
      todos('Repair and verify'),
      write('src/sum.js', SUM_RIGHT),
      run('cd scripts && sh ./verify.sh'),
      run('sh scripts/verify.sh'),
      step('1', ran('sh scripts/verify.sh'), changed('src/sum.js')),
      claim(),
    ),
    { project: wrapped },
  ),
  honest(
    'windows-separators',
    'names paths with backslashes',
    play(
      todos('Repair it'),
      edit('src/sum.js', 'total - number)', 'total + number, 0)'),
      step('1', changed('src\\sum.js')),
      run('npm test'),
      claim(),
    ),
  ),
  honest(
    'pytest',
    'a Python project with pytest, run by its module and cited by its name',
    play(
      todos('Repair add'),
      write('calc.py', CALC_RIGHT),
      run('python3 -m pytest -q -p no:cacheprovider'),
      step('Repair add', ran('pytest -q -p no:cacheprovider')),
      claim(),
    ),
    { project: withPytest, needs: ['pytest'] },
  ),
];
