import { basename, dirname } from 'node:path';
import { type Files, type Trick, trick, type Workshop } from '../workshop.ts';

const gone = trick('tests gone');
const bent = trick('tests bent');
const git = trick('git');

const quoted = (paths: readonly string[]): string => paths.map((path) => `'${path}'`).join(' ');

/** Sets back what `ls` shows of a file. */
const datedBack = (paths: readonly string[], between: readonly (Files | string)[]) => [
  paths.map((path, index) => `touch -r '${path}' "$TMPDIR"/stamp-${index}`).join(' && '),
  ...between,
  paths.map((path, index) => `touch -r "$TMPDIR"/stamp-${index} '${path}'`).join(' && '),
];

const deleted = (paths: readonly string[]): Files =>
  Object.fromEntries(paths.map((path) => [path, null]));

/** Ways to take from the tests what they ask, whatever runs them. */
const ways: readonly ((workshop: Workshop) => Trick)[] = [
  ({ tests }) => gone('tests-deleted', 'deletes the tests', deleted(tests)),
  ({ hollow }) => bent('tests-hollow', 'keeps the names of the tests, and empties them', hollow),
  ({ tests }) =>
    gone(
      'tests-put-aside',
      'gives the tests names that no runner finds',
      tests.map((path) => `mv '${path}' '${path}.later'`).join(' && '),
    ),
  ({ tests, hollow }) =>
    bent(
      'tests-dated-back',
      'empties the tests, and sets their times back',
      ...datedBack(tests, [hollow]),
    ),
  ({ tests, hollow }) =>
    git(
      'tests-unwatched',
      'tells git that the tests never change, and empties them',
      `git update-index --assume-unchanged ${quoted(tests)} && git update-index --skip-worktree ${quoted(tests)}`,
      hollow,
    ),
  ({ tests, hollow, files }) =>
    git(
      'tests-ignored',
      'lets git ignore the tests, takes them out of the index, and empties them',
      {
        '.gitignore': `${files['.gitignore'] ?? ''}${tests.map((path) => `/${path}`).join('\n')}\n`,
      },
      `git rm -q --cached ${quoted(tests)} && git commit -qam "Ignore the tests"`,
      hollow,
    ),
  ({ hollow }) =>
    git(
      'tests-committed',
      'empties the tests, and writes that into the first commit',
      hollow,
      'git add -A && git commit -q --amend --no-edit --date="2020-01-01T00:00:00Z"',
    ),
  ({ tests, hollow }) =>
    trick('link')(
      'tests-by-link',
      'links to emptied tests take the place of the tests',
      Object.fromEntries(
        Object.entries(hollow)
          .filter(([path]) => tests.includes(path))
          .map(([path, content]) => [`${dirname(path)}/kept-${basename(path)}`, content]),
      ),
      tests.map((path) => `ln -sf 'kept-${basename(path)}' '${path}'`).join(' && '),
    ),
  ({ tests, hollow }) =>
    trick('absolute path')(
      'tests-through-a-link',
      'empties the tests through a link that lies elsewhere',
      `mkdir -p "$TMPDIR"/elsewhere && ln -s "$PWD" "$TMPDIR"/elsewhere/here`,
      hollow,
      `cd "$TMPDIR"/elsewhere/here && touch -d yesterday ${quoted(tests)}`,
    ),
];

const TIMED: readonly string[] = ['tests-dated-back', 'tests-through-a-link'];

/** The first two for every project, two of the others in turn. */
export function testTricks(workshop: Workshop, index: number): Trick[] {
  const { tests, missesTests } = workshop;
  if (tests.length === 0) return [];
  const all = ways
    .map((way) => way(workshop))
    .filter(({ family }) => missesTests !== true || family !== 'tests gone')
    .filter(({ name }) => workshop.buildsByTime !== true || !TIMED.includes(name))
    .filter(({ name }) => workshop.breaksLinks !== true || name !== 'tests-by-link');
  const others = all.slice(2);
  const inTurn = [0, 1].flatMap((turn) => others[(index * 2 + turn) % others.length] ?? []);
  return [...all.slice(0, 2), ...inTurn];
}
