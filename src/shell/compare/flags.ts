import { everywhere, neutralFlags } from './neutral-flags.ts';

const names = Object.keys(neutralFlags).sort((left, right) => right.length - left.length);

export interface FlagTable {
  isNeutral(unit: string): boolean;
  isBoolean(flag: string): boolean;
  takesValue(flag: string): boolean;
}

export function flagsOf(program: string): FlagTable {
  const name = names.find((known) => program === known || program.startsWith(`${known} `));
  const neutral = new Set((neutralFlags[name ?? ''] ?? everywhere).split(/\s+/));
  return {
    isNeutral: (unit) => neutral.has(unit) || (unit.includes('=') && neutral.has(keyOf(unit))),
    isBoolean: (flag) =>
      (neutral.has(flag) && !neutral.has(`${flag}=`)) ||
      isSwitch(flag, name) ||
      /^-[a-z]\d+$/.test(flag),
    takesValue: (flag) => neutral.has(`${flag}=`) || valued.has(flag),
  };
}

function isSwitch(flag: string, name: string | undefined): boolean {
  return switches.test(flag) || shortSwitches[name ?? '']?.test(flag) === true;
}

function keyOf(unit: string): string {
  return unit.slice(0, unit.indexOf('=') + 1);
}

/** Well-known flags that leave something out and take a value. */
const valued = new Set(
  `-k -m -t -g -f -run -skip -list -tags -exec -p -w
  --testNamePattern --test-name-pattern --test-skip-pattern --testPathPattern --testPathPatterns
  --testPathIgnorePatterns --grep --fgrep --ignore --ignore-glob --deselect --exclude --skip
  --filter --tests --project --dir --shard --package --workspace --test-shard --script-shell`.split(
    /\s+/,
  ),
);

/** Flags that leave something out and take no value. */
const switches =
  /^(--passWithNoTests|--pass-with-no-tests|--dry-?run|--just-print|--recon|--collect-only|--co|--list|--listTests|--list-tests|--changed|--onlyChanged|--onlyFailures|--lf|--last-failed|--if-present|--ignore-scripts|-short|--no-run|--exit-zero|--watch|--fix|--write|--test-only|--updateSnapshot|--snapshot-update)$/;

/** Short ones mean something else in every program. */
const shortSwitches: Readonly<Record<string, RegExp>> = {
  make: /^-[nitq]$/,
  'go test': /^-(c|n)$/,
  jest: /^-[uo]$/,
  vitest: /^-u$/,
  grep: /^-[a-zA-Z]+$/,
  rg: /^-[a-zA-Z]+$/,
  ls: /^-/,
};

/** Files and folders after these add to what is checked: all of them have to pass. */
const manyTargets =
  /^(pytest|vitest|jest|mocha|ava|node --test|go (test|vet|build)|make|eslint|ruff|mypy|biome|rspec|prettier)( |$)/;

export function takesManyTargets(program: string): boolean {
  return manyTargets.test(program);
}
