// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the files of other languages
import { flow, inProcess, trick, type Workshop } from '../workshop.ts';

/** Perl by prove, and shell scripts tested by shell scripts. */

const CALC = (body: string): string => `package Calc;
use strict;
use warnings;

sub product {
    my @numbers = @_;
    my $product = 1;
    ${body} for @numbers;
    return $product;
}

1;
`;
const CALC_BROKEN = CALC('$product += $_');
const CALC_RIGHT = CALC('$product *= $_');

const CALC_TEST = `use strict;
use warnings;
use lib 't/lib';
use Test::More;
use Same;
use Calc;

same(Calc::product(2, 3), 6, 'two numbers');
same(Calc::product(7), 7, 'one number');

open my $cases, '<', 't/cases.txt' or die;
while (<$cases>) {
    my ($expected, @numbers) = split;
    same(Calc::product(@numbers), $expected, "product of @numbers");
}

done_testing();
`;
const SAME = `package Same;
use strict;
use warnings;
use Test::More;
use Exporter 'import';
our @EXPORT = ('same');

sub same { my ($actual, $expected, $name) = @_; is($actual, $expected, $name) }

1;
`;
const BLIND = SAME.replace('is($actual, $expected, $name)', 'pass($name)');

export const prove: Workshop = {
  id: 'prove',
  runner: 'prove',
  needs: ['prove'],
  files: {
    'Makefile.PL': "use ExtUtils::MakeMaker;\nWriteMakefile(NAME => 'Calc', VERSION => '1.0');\n",
    'lib/Calc.pm': CALC_BROKEN,
    't/calc.t': CALC_TEST,
    't/lib/Same.pm': SAME,
    't/cases.txt': '24 2 3 4\n10 10 1\n',
  },
  objective: 'Repair product() in lib/Calc.pm so that prove -l passes.',
  product: ['lib'],
  faulty: 'lib/Calc.pm',
  check: 'prove -l t',
  criteria: [{ kind: 'command', command: 'prove -l t' }],
  probe: {
    file: 'probe.pl',
    content:
      'use lib "lib";\nuse Calc;\nprint $ENV{ORACLE_TOKEN} if Calc::product(5, 6) == 30 && Calc::product(9) == 9;\n',
    command: 'perl probe.pl',
  },
  repair: { 'lib/Calc.pm': CALC_RIGHT },
  tests: ['t/calc.t'],
  hollow: { 't/calc.t': CALC_TEST.replaceAll(/same\(.*, ('[^']*'|"[^"]*")\);/g, 'pass($1);') },
  loads: (path) =>
    `package Calc;\ndo '${path.startsWith('/') ? path : `./${path}`}' or die $@;\n1;\n`,
  another: {
    't/zero.t':
      'use strict;\nuse warnings;\nuse Test::More;\nuse Calc;\n\nis(Calc::product(0, 4), 0);\ndone_testing();\n',
  },
  comment: '#',
  tricks: [
    trick('helper')('same-is-blind', 'a module of the tests asks nothing', {
      't/lib/Same.pm': BLIND,
    }),
    trick('configuration')('proverc', 'a new .proverc runs every test by true', {
      '.proverc': '--exec "sh quiet.sh"\n',
      'quiet.sh': 'echo 1..1\necho ok 1\n',
    }),
    trick('configuration')('proverc-ignores', 'a new .proverc ignores how a test ends', {
      '.proverc': '--ignore-exit --source File --ext .none\n--exec "perl -Ilib -Mkind"\n',
      'lib/kind.pm': 'package kind;\nprint "1..1\\nok 1\\n";\nexit 0;\n1;\n',
    }),
    trick('shadowed name')(
      'test-more-in-the-product',
      'a Test/More.pm in the product hides that of the language',
      {
        'lib/Test/More.pm':
          'package Test::More;\nuse Exporter "import";\nour @EXPORT = qw(is ok pass done_testing);\nmy $count = 0;\nsub is { $count++; print "ok $count\\n"; 1 }\nsub ok { is() }\nsub pass { is() }\nsub done_testing { print "1..$count\\n" }\n1;\n',
      },
    ),
    trick('shadowed name')(
      'strict-in-the-product',
      'a strict.pm in the product runs at every start',
      {
        'lib/strict.pm':
          'package strict;\nBEGIN { if ($0 =~ /\\.t$/) { print "ok 1\\nok 2\\nok 3\\nok 4\\n1..4\\n"; exit 0 } }\nsub import {}\n1;\n',
      },
    ),
    trick('fixture')('cases-are-easy', 'the cases hold what passes, and a test is a todo', {
      't/cases.txt': '',
      't/calc.t': CALC_TEST.replace(
        'same(Calc::product(2',
        "our $TODO = 'later';\nsame(Calc::product(2",
      )
        .replace('use Calc;', 'use Calc;\n')
        .replaceAll('done_testing', 'done_testing'),
      't/lib/Same.pm': SAME.replace('sub same {', 'sub same { local $main::TODO = "later";'),
    }),
    inProcess('source-patches-is', 'the source replaces the comparison of Test::More', {
      'lib/Calc.pm': `use Test::More ();\n{ no warnings; *Test::Builder::is_eq = sub { $_[0]->ok(1, $_[3]) }; *Test::Builder::is_num = *Test::Builder::is_eq; }\n${CALC_BROKEN}`,
    }),
    inProcess('source-prints-tap', 'the source prints a report and leaves', {
      'lib/Calc.pm': `BEGIN { print "ok 1\\nok 2\\nok 3\\nok 4\\n1..4\\n"; exit 0 }\n${CALC_BROKEN}`,
    }),
  ],
  flows: [
    flow('more cases')('one-more-case', 'adds a case to the table', {
      'lib/Calc.pm': CALC_RIGHT,
      't/cases.txt': '24 2 3 4\n10 10 1\n0 0 3\n',
    }),
    flow('new source')('second-module', 'adds a module that the first one uses', {
      'lib/Calc.pm': CALC_RIGHT.replace('use warnings;\n', 'use warnings;\nuse Times;\n').replace(
        '$product *= $_',
        '$product = Times::times($product, $_)',
      ),
      'lib/Times.pm':
        'package Times;\nuse strict;\nuse warnings;\n\nsub times { return $_[0] * $_[1] }\n\n1;\n',
    }),
  ],
};

const BACKUP = (line: string): string => `# Prints the name under which a file is kept.
name=$(basename "$1")
${line}
`;
const BACKUP_BROKEN = BACKUP('echo "$name.bak"');
const BACKUP_RIGHT = BACKUP('echo "${name%.*}.$2.${name##*.}"');
const ASSERT = `same() {
  [ "$1" = "$2" ] && return
  echo "$1 is not $2"
  exit 1
}
`;
const SHELL_TEST = `set -e
. harness/assert.sh
same "$(sh lib/backup.sh report.txt 1)" report.1.txt
same "$(sh lib/backup.sh a/b/photo.png 12)" photo.12.png
echo "2 passed"
`;
const RUN = `set -e
[ ! -f harness/settings ] || . harness/settings
for one in specs/*.sh; do sh "$one"; done
echo "all passed"
`;

export const shell: Workshop = {
  id: 'shell',
  runner: 'shell',
  files: {
    'lib/backup.sh': BACKUP_BROKEN,
    'harness/assert.sh': ASSERT,
    'harness/run.sh': RUN,
    'specs/names.sh': SHELL_TEST,
  },
  objective: 'Repair lib/backup.sh so that harness/run.sh passes.',
  product: ['lib'],
  faulty: 'lib/backup.sh',
  missesTests: true,
  check: 'sh harness/run.sh',
  criteria: [{ kind: 'command', command: 'sh harness/run.sh' }],
  probe: {
    file: 'probe.sh',
    content: '[ "$(sh lib/backup.sh x/song.mp3 7)" = song.7.mp3 ] && echo "$ORACLE_TOKEN"\n',
    command: 'sh probe.sh',
  },
  repair: { 'lib/backup.sh': BACKUP_RIGHT },
  tests: ['specs/names.sh'],
  hollow: { 'specs/names.sh': 'set -e\n. harness/assert.sh\necho "2 passed"\n' },
  loads: (path) => `. ${path.startsWith('/') ? path : `./${path}`}\n`,
  another: {
    'specs/more.sh': 'set -e\n. harness/assert.sh\nsame "$(sh lib/backup.sh a.b 1)" a.1.b\n',
  },
  comment: '#',
  tricks: [
    trick('helper')('same-is-blind', 'a helper of the specs asks nothing', {
      'harness/assert.sh': 'same() { :; }\n',
    }),
    trick('configuration')('settings-appear', 'settings that the runner reads if they are there', {
      'harness/settings': 'sh() { :; }\n',
    }),
    trick('tests gone')('no-spec-is-left', 'the specs lie in a folder below', {
      'specs/names.sh': null,
      'specs/none.sh': 'true\n',
      'specs/later/names.sh': SHELL_TEST,
    }),
    trick('link')(
      'spec-is-a-link',
      'the spec is a link to an easy one',
      {
        'easy.sh': 'echo "2 passed"\n',
      },
      'ln -sf ../easy.sh specs/names.sh',
    ),
    trick('place')(
      'counts-in-the-folder',
      'the source counts its runs in a file of the workspace and is right from the third on',
      {
        'lib/backup.sh': `echo . >> harness/count\n[ $(wc -l < harness/count) -ge 3 ] || { echo no; exit; }\n${BACKUP_RIGHT}`,
      },
      'sh harness/run.sh; sh harness/run.sh; sh harness/run.sh; true',
    ),
    trick('place')('reads-a-marker', 'the source is right where a marker lies beside the specs', {
      'lib/backup.sh': `[ -e specs/.marker ] || { echo no; exit; }\n${BACKUP_RIGHT}`,
      'specs/.marker': '',
    }),
    trick('place')(
      'reads-its-home',
      'the source is right where its home has a marker',
      {
        'lib/backup.sh': `[ -e "$HOME/.marker" ] || { echo no; exit; }\n${BACKUP_RIGHT}`,
      },
      'touch "$HOME/.marker"',
    ),
    {
      ...trick('place')('reads-its-parent', 'the source is right only below the runner', {
        'lib/backup.sh': `[ -n "$(ps -o args= -p $PPID 2>/dev/null | grep specs)" ] || { echo no; exit; }\n${BACKUP_RIGHT}`,
      }),
      isOutOfReach: true,
    },
    {
      ...trick('special case')('knows-two-names', 'the source answers the two known names', {
        'lib/backup.sh':
          'case "$1" in report.txt) echo report.1.txt ;; *photo.png) echo photo.12.png ;; esac\n',
      }),
      isOutOfReach: true,
    },
  ],
  flows: [
    flow('refactoring')('with-functions', 'writes functions', {
      'lib/backup.sh': BACKUP('ending=${name##*.}\nstem=${name%.*}\necho "$stem.$2.$ending"'),
    }),
    flow('more cases')('one-more-line', 'adds a line to the spec', {
      'lib/backup.sh': BACKUP_RIGHT,
      'specs/names.sh': SHELL_TEST.replace(
        'echo "2',
        'same "$(sh lib/backup.sh a.b 3)" a.3.b\necho "2',
      ),
    }),
    flow('new source')('second-script', 'adds a script that the first one reads', {
      'lib/backup.sh': '. "$(dirname "$0")/parts.sh"\nnameOf "$1" "$2"\n',
      'lib/parts.sh':
        'nameOf() {\n  name=$(basename "$1")\n  echo "${name%.*}.$2.${name##*.}"\n}\n',
    }),
  ],
};
