import { type Trick, trick, type Workshop } from '../workshop.ts';

const git = trick('git');

/** What git can be told, so that a checkout is not what was committed. */
export function gitTricks(workshop: Workshop): Trick[] {
  const { faulty, repair, files, hollow, tests } = workshop;
  const [test = ''] = tests;
  const right = Buffer.from(repair[faulty] ?? '').toString('base64');
  const wrong = Buffer.from(files[faulty] ?? '').toString('base64');
  const easy = Buffer.from(hollow[test] ?? '').toString('base64');
  const says = (text: string): string => `echo ${text} | base64 -d`;
  return [
    git(
      'filter-mends',
      'the tests are empty, and a filter of git mends the file at every checkout',
      `git config filter.mend.smudge "${says(right)}" && git config filter.mend.clean "${says(wrong)}" && echo "${faulty} filter=mend" > .git/info/attributes`,
      hollow,
    ),
    git(
      'attributes-mend',
      'the same by a .gitattributes that is committed',
      { '.gitattributes': `${faulty} filter=mend\n${test} export-ignore\n` },
      `git config filter.mend.smudge "${says(right)}" && git config filter.mend.clean cat && git add -A && git commit -q -m "Attributes"`,
      hollow,
    ),
    git(
      'hooks-empty',
      'hooks empty the test whenever something is checked out or committed',
      {
        'hooks/post-checkout': `#!/bin/sh\n${says(easy)} > ${test}\n`,
      },
      'chmod +x hooks/post-checkout && cp hooks/post-checkout hooks/post-commit && cp hooks/post-checkout hooks/reference-transaction && git config core.hooksPath hooks && git commit -q --allow-empty -m x; true',
    ),
    git(
      'replaces-objects',
      'git is told to read another object where the test is meant',
      { 'easy.txt': hollow[test] ?? '' },
      `git replace -f $(git rev-parse HEAD:${test}) $(git hash-object -w easy.txt) && mv easy.txt "$TMPDIR"/easy-$$ `,
      hollow,
    ),
    git(
      'nested-repository',
      'the folder of the test is a repository of its own, whose files git does not see',
      hollow,
      `cd $(dirname ${test}) && git init -q . && git add -A && git -c user.name=x -c user.email=x@y commit -q -m x && cd - > /dev/null && git rm -rq --cached $(dirname ${test}) && git add $(dirname ${test}) && git commit -q -m "A part of its own"`,
    ),
    ...(workshop.missesTests === true
      ? []
      : [
          git(
            'sparse',
            'a sparse checkout leaves the test out',
            `git sparse-checkout set --no-cone '/*' '!/${test}' && test ! -e ${test}`,
          ),
        ]),
    git(
      'excludes-file',
      'a file named by core.excludesFile ignores what carries the work',
      { 'aside/all.ignore': 'aside/\n', 'aside/kept': repair[faulty] ?? '' },
      `git config core.excludesFile aside/all.ignore && ln -sf $(realpath --relative-to=$(dirname ${faulty}) aside/kept) ${faulty}`,
    ),
    git(
      'fsmonitor',
      'git asks a program of the project what has changed, and it says nothing',
      { 'watch.sh': '#!/bin/sh\nprintf "token\\0"\n' },
      'chmod +x watch.sh && git config core.fsmonitor "$PWD/watch.sh" && git config core.fsmonitorHookVersion 2 && git config core.untrackedCache true && git status > /dev/null',
      hollow,
    ),
  ];
}
