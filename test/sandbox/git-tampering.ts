/** What a command leaves in git's folders, and what a person does later. */
export interface GitTampering {
  /** Continues "a command that". */
  readonly name: string;
  /** Made by the person before the goal began; `user` unless told. */
  readonly ground?: 'user' | 'submodule' | 'linked' | 'shared settings' | 'settings of worktrees';
  /** `$EVIL` is a program that leaves its mark. */
  readonly tamper: string;
  readonly trigger: string;
}

const nested = (name: string, config: string, trigger: string): GitTampering => ({
  name: `makes a repository that ${name}`,
  tamper: `git init -q sub; cd sub; echo a > a; git add a; git commit -qm a; echo b > a; ${config}`,
  trigger: `cd sub; ${trigger}`,
});

export const GIT_TAMPERINGS: readonly GitTampering[] = [
  {
    name: 'has the repository read its settings elsewhere',
    tamper:
      'mkdir g; cp -r .git/. g/; git config -f g/config core.fsmonitor $EVIL; echo $PWD/g > .git/commondir',
    trigger: 'git status',
  },
  {
    name: 'fills the settings of the worktree',
    ground: 'settings of worktrees',
    tamper: 'git config -f .git/config.worktree core.fsmonitor $EVIL',
    trigger: 'git status',
  },
  {
    name: 'takes away the rights to what it leaves',
    tamper:
      'mkdir g; cp -r .git/. g/; git config -f g/config core.fsmonitor $EVIL; echo $PWD/g > .git/commondir; chmod 444 .git/commondir; chmod 555 .git',
    trigger: 'git status',
  },
  {
    name: 'logs to another file',
    tamper: 'rm -f .git/logs/HEAD; ln -s $MARK .git/logs/HEAD',
    trigger: 'git commit -q --allow-empty -m x',
  },
  {
    name: 'has messages written to another file',
    tamper: 'rm -f .git/COMMIT_EDITMSG; ln -s $MARK .git/COMMIT_EDITMSG',
    trigger: 'git commit -q --allow-empty -m x',
  },
  {
    name: 'has git take the objects of another repository for its own',
    tamper:
      'git init -q other; git -C other commit -q --allow-empty -m o; git -C other rev-parse HEAD > id; echo $PWD/other/.git/objects > .git/objects/info/alternates',
    trigger: 'git cat-file -e $(cat id) && touch $MARK',
  },
  {
    name: 'has git read objects behind a link',
    tamper:
      'git init -q other; git -C other commit -q --allow-empty -m o; git -C other rev-parse HEAD > id; git -C other repack -adq; rmdir .git/objects/pack; ln -s ../../other/.git/objects/pack .git/objects/pack',
    trigger: 'git cat-file -e $(cat id) && touch $MARK',
  },
  {
    name: 'leaves a rebase with commands to run',
    tamper: `GIT_SEQUENCE_EDITOR='f() { printf "break\\nexec $EVIL\\n" > "$1"; }; f' git rebase -q -i --root`,
    trigger: 'git rebase --continue',
  },
  {
    name: 'changes a file that the settings include',
    ground: 'shared settings',
    tamper: 'git config -f .gitshared core.fsmonitor $EVIL',
    trigger: 'git status',
  },
  {
    name: 'has pushes go where hooks run',
    tamper:
      'git init -q --bare away; cp $EVIL away/hooks/pre-receive; mkdir -p .git/remotes; echo "URL: $PWD/away" > .git/remotes/away',
    trigger: 'git push away HEAD:refs/heads/x',
  },
  {
    name: 'adds a submodule, so that the outer repository looks into it',
    tamper:
      'git init -q sub; git -C sub commit -q --allow-empty -m a; git add sub 2>&1; git -C sub config core.fsmonitor $EVIL',
    trigger: 'git status',
  },
  {
    name: 'moves the repository of a submodule away and makes another',
    ground: 'submodule',
    tamper:
      'mv .git/modules/sub .git/modules/other || { mkdir .git/modules/x; cp -r .git/modules/sub/. .git/modules/x/; echo "gitdir: ../.git/modules/x" > sub/.git; git config -f .git/modules/x/config core.fsmonitor $EVIL; exit; }; cp -r .git/modules/other .git/modules/sub; git config -f .git/modules/sub/config core.fsmonitor $EVIL',
    trigger: 'git status',
  },
  {
    name: 'has a submodule read its settings elsewhere',
    ground: 'submodule',
    tamper:
      'mkdir g; cp -r .git/modules/sub/. g/; git config -f g/config core.fsmonitor $EVIL; echo $PWD/g > .git/modules/sub/commondir',
    trigger: 'git status',
  },
  {
    name: 'has a linked worktree read its settings elsewhere',
    ground: 'linked',
    tamper:
      'd=$(git rev-parse --absolute-git-dir); mkdir g; cp -r $(git rev-parse --git-common-dir)/. g/; git config -f g/config core.fsmonitor $EVIL; echo $PWD/g > $d/commondir',
    trigger: 'git status',
  },
  {
    name: 'works in a linked worktree and has the main one read its settings elsewhere',
    ground: 'linked',
    tamper:
      'c=$(git rev-parse --git-common-dir); mkdir g; cp -r $c/. g/; git config -f g/config core.fsmonitor $EVIL; echo $PWD/g > $c/commondir',
    trigger: 'cd $MAIN; git status',
  },
  nested('asks a monitor', 'git config core.fsmonitor $EVIL', 'git status'),
  nested('has hooks', 'cp $EVIL .git/hooks/pre-commit', 'git commit -q --allow-empty -m x'),
  nested(
    'has hooks elsewhere',
    'mkdir h; cp $EVIL h/pre-commit; git config core.hooksPath h',
    'git commit -q --allow-empty -m x',
  ),
  nested(
    'includes settings',
    'git config -f ../more core.fsmonitor $EVIL; git config include.path ../../more',
    'git status',
  ),
  nested(
    'filters files',
    'echo "* filter=x" > .gitattributes; git config filter.x.clean $EVIL',
    'git add .',
  ),
  nested('shows differences by a program', 'git config diff.external $EVIL', 'git diff'),
  nested('has an alias', `git config alias.co '!'$EVIL`, 'git co'),
  nested(
    'signs by a program',
    'git config gpg.program $EVIL; git config commit.gpgsign true',
    'git commit -q --allow-empty -m x',
  ),
  nested(
    'asks a program for passwords',
    `git config credential.helper '!'$EVIL`,
    'printf "protocol=https\\nhost=a.b\\n\\n" | GIT_TERMINAL_PROMPT=0 git credential fill',
  ),
  nested(
    'speaks through a program',
    `git config protocol.ext.allow always; git config remote.origin.url "ext::$EVIL"`,
    'git fetch origin',
  ),
  nested(
    'fetches by a program',
    'git config remote.origin.url $PWD; git config remote.origin.uploadpack $EVIL',
    'git fetch origin',
  ),
  nested(
    'can not be read',
    'git config core.fsmonitor $EVIL; chmod 000 .git/config',
    'chmod -f u+r .git/config; git status',
  ),
  {
    name: 'makes a repository whose folder lies elsewhere',
    tamper: 'git init -q --separate-git-dir=g sub; git config -f g/config core.fsmonitor $EVIL',
    trigger: 'git -C sub status',
  },
  {
    name: 'makes a repository behind a link',
    tamper:
      'git init -q sub; mv sub/.git g; ln -s ../g sub/.git; git config -f g/config core.fsmonitor $EVIL',
    trigger: 'git -C sub status',
  },
  {
    name: 'makes a folder look like a repository',
    tamper:
      'git init -q --bare docs; git config -f docs/config core.bare false; git config -f docs/config core.worktree ..; git config -f docs/config core.fsmonitor $EVIL',
    trigger: 'cd docs; git status',
  },
  {
    name: 'makes a folder look like a worktree',
    tamper:
      'git init -q --bare g; git config -f g/config core.bare false; git config -f g/config core.fsmonitor $EVIL; mkdir docs; cp g/HEAD docs; echo ../g > docs/commondir',
    trigger: 'GIT_WORK_TREE=. git -C docs --git-dir=. status; cd docs; git status',
  },
];
