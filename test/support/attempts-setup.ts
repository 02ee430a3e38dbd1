import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Outcome, TOLD, type Told } from '../security/attempts.ts';

const OUTCOMES: readonly Outcome[] = ['held', 'out', 'documented', 'skipped'];

/** The closing table of `npm run test:security`. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'goalkeeper-attempts-'));
  const file = join(folder, 'told.jsonl');
  writeFileSync(file, '');
  process.env[TOLD] = file;
  return () => {
    const told = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Told);
    rmSync(folder, { recursive: true, force: true });
    if (told.length > 0) process.once('exit', () => process.stdout.write(`\n${tableOf(told)}\n`));
  };
}

function tableOf(told: readonly Told[]): string {
  const rows = new Map<string, Told[]>();
  for (const one of told) {
    const name = `${one.class} (${one.mode})`;
    rows.set(name, [...(rows.get(name) ?? []), one]);
  }
  const line = (name: string, all: readonly Told[]) =>
    name.padEnd(34) +
    OUTCOMES.map((outcome) => {
      const times = all.filter((one) => one.outcome === outcome).map((one) => one.times);
      return String(times.reduce((sum, next) => sum + next, 0)).padStart(11);
    }).join('');
  const head = 'attempts'.padEnd(34) + OUTCOMES.map((name) => name.padStart(11)).join('');
  const lines = [...rows].map(([name, all]) => line(name, all));
  const ids = new Set(told.map(({ id }) => id)).size;
  const out = told.filter(({ outcome }) => outcome === 'out');
  return [
    head,
    ...lines,
    line(`all (${ids} of attempts.md)`, told),
    ...out.map(({ id, mode }) => `OUT ${id} (${mode})`),
  ].join('\n');
}
