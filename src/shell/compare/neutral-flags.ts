/**
 * Flags that change what a run prints, how fast it is or how early it gives up, never what it
 * checks; a trailing `=` marks those that take a value. Anything else that only the run has may
 * narrow it.
 */
export const everywhere = `
  --silent --verbose --color --colors --no-color --no-colors --color= --no-progress
  --progress=
`;

const scripts = `
  ${everywhere} --quiet --coverage --ci --runInBand --bail --reporter= --reporters=
  --watch=false --watchAll=false --no-watch --run --no-file-parallelism --maxWorkers=
  --testTimeout= --hookTimeout=
`;

const pythonTests = `
  -q -qq -v -vv -vvv -s -x -l -ra -rA -rs -rf --exitfirst --ff --failed-first --nf
  --new-first --showlocals --strict-markers --strict-config --full-trace --no-header
  --no-summary --maxfail= --tb= --durations= --cov --cov= --cov-report= --cov-branch
  --cov-fail-under= --junitxml= --junit-xml= --capture= --timeout= -n= --numprocesses=
  --dist= -r= -W=
`;

const jest = `
  -i -w= -b --bail= --json --outputFile= --detectOpenHandles --forceExit --logHeapUsage
  --no-cache --expand --errorOnDeprecated --randomize --ci= --coverageReporters=
  --coverageDirectory=
`;

/** By program, the longest name first: `npm run` serves `npm run test`. */
export const neutralFlags: Readonly<Record<string, string>> = {
  'npm run': `${scripts} -s --foreground-scripts --loglevel=`,
  'pnpm run': `${scripts} -s --reporter= --loglevel=`,
  'yarn run': `${scripts} -s --non-interactive`,
  'bun run': scripts,
  'npm ci': '--no-audit --no-fund --prefer-offline --loglevel=',
  'npm install': '--no-audit --no-fund --prefer-offline --loglevel=',
  vitest: `${scripts} ${jest} --pool= --globals --isolate --no-isolate --ui=false`,
  jest: `${scripts} ${jest}`,
  mocha: `${scripts} -b -R= -t= --timeout= --slow= -p --parallel --exit -c`,
  ava: `${scripts} -v -T= --timeout= --fail-fast --serial -s --tap`,
  playwright: `${scripts} --workers= -j= -x --retries= --trace= --headed --quiet`,
  'node --test': `
    --test-reporter= --test-reporter-destination= --test-concurrency=
    --test-timeout= --experimental-test-coverage --enable-source-maps --no-warnings
    --trace-warnings --test-force-exit
  `,
  pytest: `${everywhere} ${pythonTests}`,
  'python -m unittest': '-v -q -f -b -c --verbose --failfast --buffer',
  tox: '-q -v -vv -r -p= --recreate',
  'go test': `
    -v -race -cover -json -failfast -count= -timeout= -p= -parallel= -cpu=
    -shuffle= -bench= -benchmem -coverprofile= -covermode= -coverpkg= -trimpath -mod=
    -buildvcs= -fullpath
  `,
  'go build': '-v -race -trimpath -mod= -buildvcs=',
  'go vet': '-v -json',
  cargo: `
    ${everywhere} -q -v -vv --quiet --release --all --workspace --all-targets --all-features
    --locked --frozen --offline --no-fail-fast -j= --jobs= --message-format= --nocapture
    --show-output --test-threads= --format=
  `,
  make: `
    -s -k -B -j -j= -w --silent --quiet --keep-going --always-make --jobs=
    --no-print-directory --print-directory --output-sync= -O --trace V=1 VERBOSE=1 CI=1
    CI=true
  `,
  mvn: '-q -B -e -U -o -ntp --batch-mode --no-transfer-progress -T= -V',
  gradle: `
    -q -i -s --no-daemon --daemon --info --console= --rerun-tasks --continue --stacktrace
    --parallel --offline --warning-mode= --build-cache --no-build-cache --warn
  `,
  dotnet: '--no-restore --nologo -v= --verbosity= -l= --logger= -c= --configuration=',
  tsc: '--pretty --pretty= --noEmit --noEmit= --incremental --listFiles --diagnostics',
  eslint: `
    ${everywhere} --quiet --cache -f= --format= --max-warnings=0
    --report-unused-disable-directives --no-warn-ignored
  `,
  biome: '--colors= --max-diagnostics= --error-on-warnings --reporter= --verbose',
  prettier: '--loglevel= --log-level= --cache',
  ruff: '-q -v --output-format= --no-cache --statistics --show-source',
  mypy: '--pretty --no-color-output --show-error-codes --strict -v --no-incremental',
  rspec: '--format= -f= --fail-fast --order= --profile -p --backtrace -b',
  phpunit: '--testdox --colors= --no-coverage --stop-on-failure --display-warnings',
  'mix test': '--trace --cover --max-failures= --seed= --color --warnings-as-errors',
  'swift test': '--parallel -v --verbose --quiet -q',
  'deno test': '-A --allow-all --quiet -q --parallel --coverage --no-prompt',
  'bun test': '--coverage --bail --timeout= --rerun-each= --randomize',
  curl: '-s -S -f -sf -sS -fsS -sSf -fsSL --fail --show-error --max-time=',
  grep: `
    -n --line-number -H --with-filename -s --no-messages --color= --exclude-dir=node_modules
  `,
  rg: '-n --line-number -H --with-filename --no-heading --heading --color=',
  ls: '-l -a -la -al -lh -lah -h -1 -A',
};
