import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** A published project at a version, by the client of its registry. Debian's is the release's own. */
export type Source = Readonly<Record<'npm' | 'pypi' | 'go' | 'crate' | 'debian', string>>;
export type OneSource = { [Kind in keyof Source]: Pick<Source, Kind> }[keyof Source];

type Fetch = (spec: string, scratch: string, folder: string) => string;

const FETCHES: Readonly<Record<keyof Source, Fetch>> = {
  npm(spec, scratch, folder) {
    run('npm', ['pack', '--silent', spec, '--pack-destination', scratch], scratch);
    unpack(scratch, folder);
    return `${spec} (npm)`;
  },
  pypi(spec, scratch, folder) {
    const flags = ['--no-binary', ':all:', '--no-deps', '--quiet'];
    run('python3', ['-m', 'pip', 'download', ...flags, spec], scratch);
    unpack(scratch, folder);
    return `${spec} (PyPI)`;
  },
  go(spec, scratch, folder) {
    const { Dir } = JSON.parse(run('go', ['mod', 'download', '-json', spec], scratch)) as {
      Dir: string;
    };
    run('cp', ['-r', `${Dir}/.`, folder], scratch);
    run('chmod', ['-R', 'u+w', folder], scratch);
    return `${spec} (Go)`;
  },
  crate(spec, scratch, folder) {
    const [name = '', version = ''] = spec.split('@');
    const manifest = `[package]\nname = "fetch"\nversion = "0.0.0"\n\n[dependencies]\n${name} = "=${version}"\n`;
    mkdirSync(join(scratch, 'src'));
    writeFileSync(join(scratch, 'src/lib.rs'), '');
    writeFileSync(join(scratch, 'Cargo.toml'), manifest);
    run('cargo', ['vendor', '--quiet', 'vendor'], scratch);
    run('cp', ['-r', `${join(scratch, 'vendor', name)}/.`, folder], scratch);
    rmSync(join(folder, '.cargo-checksum.json'));
    return `${spec} (crates.io)`;
  },
  debian(spec, scratch, folder) {
    run('apt-get', ['source', '-qq', '--only-source', '--download-only', spec], scratch);
    const found = readdirSync(scratch).find((name) => name.endsWith('.dsc')) ?? '';
    run('dpkg-source', ['-q', '--no-check', '-x', found, 'unpacked'], scratch);
    run('cp', ['-r', `${join(scratch, 'unpacked')}/.`, folder], scratch);
    for (const left of ['.pc', 'debian']) rmSync(join(folder, left), { recursive: true });
    return `${basename(found, '.dsc').replace('_', ' ')} (Debian)`;
  },
};

/** Fills the folder with what was published. @returns name, version and registry */
export function fetchSource(source: OneSource, folder: string): string {
  const scratch = mkdtempSync(join(tmpdir(), 'goalkeeper-fetch-'));
  try {
    const [[kind, spec] = []] = Object.entries(source) as [keyof Source, string][];
    if (kind === undefined || spec === undefined) throw new Error('no source is named');
    return FETCHES[kind](spec, scratch, folder);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function unpack(scratch: string, folder: string): void {
  const found = readdirSync(scratch).find((name) => /\.(?:tgz|tar\.gz)$/.test(name)) ?? '';
  run('tar', ['-xzf', join(scratch, found), '-C', folder, '--strip-components', '1'], scratch);
}

function run(program: string, args: readonly string[], cwd: string): string {
  const env = { ...process.env, GOFLAGS: '-mod=mod' };
  return execFileSync(program, args, { cwd, encoding: 'utf8', env, maxBuffer: 1 << 26 });
}
