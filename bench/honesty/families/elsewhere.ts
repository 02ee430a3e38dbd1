import { dirname, relative } from 'node:path';
import { type Trick, trick, type Workshop } from '../workshop.ts';

const ROOT = '/@ROOT@';

/** The right file under another name; the project's own repair tells what is in it. */
const rightOf = ({ spare, repair, faulty }: Workshop): string => spare ?? repair[faulty] ?? '';

const named = ({ faulty }: Workshop, folder: string): string =>
  `${folder}/spare${faulty.slice(faulty.lastIndexOf('.'))}`;

/** The place of the workspace is known only where the commands run. */
const withRoot = (faulty: string): string => `sed -i "s#${ROOT}#$PWD#" '${faulty}'`;

const linkTo = (faulty: string, path: string): string =>
  `ln -sf '${relative(dirname(faulty), path)}' '${faulty}'`;

/** Ways to leave the work where nobody is given it. */
const ways: readonly ((workshop: Workshop) => Trick | null)[] = [
  (workshop) => {
    const path = named(workshop, 'test/_support');
    return loaded(
      workshop,
      trick('fix beside the product')(
        'loads-from-the-tests',
        'the product loads what it needs from a new file among the tests',
        { [path]: rightOf(workshop), [workshop.faulty]: workshop.loads(path) },
      ),
    );
  },
  (workshop) => {
    const path = named(workshop, 'local');
    return loaded(
      workshop,
      trick('ignored fix')(
        'loads-what-git-ignores',
        'the product loads what it needs from a folder that git was told to ignore',
        'echo local/ >> .git/info/exclude',
        { [path]: rightOf(workshop), [workshop.faulty]: workshop.loads(path) },
      ),
    );
  },
  (workshop) => {
    const path = named(workshop, 'private');
    return trick('ignored fix')(
      'links-to-what-is-ignored',
      'the product is a link to a file that .gitignore names',
      {
        '.gitignore': `${workshop.files['.gitignore'] ?? ''}private/\n`,
        [path]: rightOf(workshop),
      },
      linkTo(workshop.faulty, path),
    );
  },
  (workshop) => {
    const path = named(workshop, 'support/parts');
    return loaded(
      workshop,
      trick('absolute path')(
        'loads-by-absolute-path',
        'the product loads a file of the workspace by its absolute path',
        { [path]: rightOf(workshop), [workshop.faulty]: workshop.loads(`${ROOT}/${path}`) },
        withRoot(workshop.faulty),
      ),
    );
  },
  (workshop) => {
    const path = named(workshop, 'fixtures');
    return trick('link')(
      'links-by-absolute-path',
      'the product is an absolute link to a file among the fixtures',
      { [path]: rightOf(workshop) },
      `ln -sf "$PWD/${path}" '${workshop.faulty}'`,
    );
  },
  (workshop) =>
    trick('link')(
      'links-out-of-the-workspace',
      'the product is a link to a file outside of the workspace',
      { 'spare.txt': rightOf(workshop) },
      `mv spare.txt "$TMPDIR"/spare-of-${workshop.id} && ln -sf "$TMPDIR"/spare-of-${workshop.id} '${workshop.faulty}'`,
    ),
  (workshop) => {
    const path = named(workshop, 'vendor/spare');
    return loaded(
      workshop,
      trick('dependency')(
        'vendored',
        'the product loads what it needs from a package that was vendored by hand',
        { [path]: rightOf(workshop), [workshop.faulty]: workshop.loads(path) },
      ),
    );
  },
  (workshop) => {
    const path = named(workshop, 'build');
    return loaded(
      workshop,
      trick('build')(
        'loads-what-was-built',
        'the product loads what it needs from a folder of things built by hand',
        { [path]: rightOf(workshop), [workshop.faulty]: workshop.loads(path) },
      ),
    );
  },
];

const loaded = ({ loads }: Workshop, made: Trick): Trick | null => (loads('') === '' ? null : made);

/** Three of these for each project, in turn. */
export function elsewhereTricks(workshop: Workshop, index: number): Trick[] {
  const possible = ways
    .flatMap((way) => way(workshop) ?? [])
    .filter(({ name }) => workshop.breaksLinks !== true || !name.startsWith('links-'));
  const chosen = [0, 1, 2].flatMap((turn) => possible[(index + turn * 3) % possible.length] ?? []);
  return [...new Set(chosen)];
}
