import type { Command } from 'commander';
import { goalId } from './arguments.ts';
import { command, type OnExit } from './new-command.ts';

export function addProof(program: Command, onExit: OnExit): void {
  const proofs = () => import('../commands/proof.ts');
  const proof = program.command('proof').description('a completed goal’s proof, as a signed file');
  command(proof, 'export', 'write it to a file that others can verify')
    .argument('<goal>', goalId)
    .option('--out <file>', 'default: the id with .intoto.jsonl, or .html; "-" prints it')
    .option('--html', 'what it says and its runs printed, as one page that nobody signed')
    .action(async (goal, options) => onExit(await (await proofs()).exportProof(goal, options)));
  command(proof, 'verify', 'is it genuine, and is it this checkout? (exit 1: no; needs no service)')
    .argument('<file>', 'what "proof export" wrote')
    .option('--key <file>', 'public keys to trust, PEM (default: GOALKEEPER_TRUSTED_KEYS)')
    .option('--repo <dir>', 'the checkout (default: this folder)')
    .option('--rerun', 'and repeat the proof run here')
    .action(async (file, options) => onExit(await (await proofs()).verifyProof(file, options)));
  command(proof, 'attach', 'as a git note on the commit whose tree was proven')
    .argument('<goal>', goalId)
    .option('--repo <dir>', 'the repository (default: this folder)')
    .action(async (goal, options) => onExit(await (await proofs()).attachProof(goal, options)));
  command(proof, 'key', 'the public key of this installation, PEM').action(async (options) =>
    onExit(await (await proofs()).proofKey(options)),
  );
}

export function addPull(program: Command, onExit: OnExit): void {
  const about =
    'open a pull request with what was proven, or renew its text (GitHub, GitLab, Gitea)';
  command(program, 'pr', about)
    .argument('<goal>', goalId)
    .option('--repo <dir>', "a checkout that has the work (default: the goal's workspace)")
    .option('--remote <name>', 'where it is hosted (default: origin)')
    .option('--base <branch>', 'to be merged into (default: as the forge says)')
    .option('--branch <name>', 'default: goal/ and the id')
    .option('--title <text>', "default: the objective's first line")
    .option('--draft', 'not to be merged yet')
    .option('--text', 'print title and text, and push nothing')
    .option('--local', 'make the commit on a branch here (proven/GOAL), and push nothing')
    .option('--yes', 'push without asking')
    .action(async (goal, options) =>
      onExit(await (await import('../commands/pull-request.ts')).pullRequest(goal, options)),
    );
}
