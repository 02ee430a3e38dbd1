/** Of the commands that people type: what one mostly wants of them, the usual first. */
export const EXAMPLES: Readonly<Record<string, readonly [string, string, string]>> = {
  run: [
    'run "Accept ISO weeks" --criterion "npm test"',
    'run "Speed up the parser" --change "src/parser/**" --budget-cost 5',
    'run --template nightly --detach',
  ],
  check: [
    'check',
    'check --base merge-base:main --criterion "npm test"',
    'check --bundle proof.intoto.jsonl',
  ],
  watch: ['watch g-7f3a', 'watch g-7f3a --plain | tee goal.log', 'watch g-7f3a --json'],
  top: ['top', 'top --workspace shop', 'top | head'],
  inbox: ['inbox', 'inbox --json', 'inbox --exit-code'],
  list: ['list', 'list --status paused,budget_limited', 'list --archived --limit 200'],
  search: ['search "idempotency-key"', 'search "exit code 137" --limit 5', 'search fastify --json'],
  show: ['show g-7f3a --turns', 'show g-7f3a --turn 4 --diff', 'show g-7f3a --compare 3 4'],
  export: ['export g-7f3a', 'export g-7f3a --out goal.jsonl --requests', 'export g-7f3a --json'],
  approvals: ['approvals', 'approvals g-7f3a', 'approvals --all'],
  todos: ['todos g-7f3a', 'todos g-7f3a --json', 'todos g-7f3a | grep "\\[ \\]"'],
  gate: ['gate g-7f3a', 'gate g-7f3a --exit-code', 'gate g-7f3a --json'],
  queue: ['queue', 'queue shop', 'queue --json'],
  costs: ['costs', 'costs --by model --from 2026-11-01', 'costs --by goal --json'],
  diff: ['diff g-7f3a', 'diff g-7f3a --stat', 'diff g-7f3a --from 3 --to 5'],
  history: ['history g-7f3a', 'history g-7f3a --turn 4', 'history g-7f3a --events'],
  'model-calls': [
    'model-calls g-7f3a --turn 4',
    'model-calls g-7f3a --turn 4 --call turn.2.1',
    'model-calls g-7f3a --turn 4 --json',
  ],
  pause: ['pause g-7f3a', 'pause g-7f3a --json', 'pause g-7'],
  resume: ['resume g-7f3a', 'resume g-7f3a --acknowledge', 'resume g-7f3a --json'],
  message: [
    'message g-7f3a "How far are you?"',
    'message g-7f3a "Leave the fixtures alone." --steer',
    'message g-7f3a "Skip that run." --now',
  ],
  'take-back': ['take-back g-7f3a', 'take-back g-7f3a m-01', 'take-back g-7f3a --json'],
  'stop-call': ['stop-call g-7f3a', 'stop-call g-7f3a t3.s1.2', 'stop-call g-7f3a --json'],
  answer: [
    'answer g-7f3a "The new one"',
    'answer g-7f3a --option 2',
    'answer g-7f3a "See the file" --attach notes.md',
  ],
  approve: [
    'approve g-7f3a',
    'approve g-7f3a --always',
    'approve g-7f3a --deny --note "Keep the fixtures."',
  ],
  deny: ['deny g-7f3a --note "Keep the fixtures."', 'deny g-7f3a', 'deny g-7f3a a-1 --json'],
  dispute: ['dispute g-7f3a', 'dispute g-7f3a --insist', 'dispute g-7f3a --infeasible'],
  amend: [
    'amend g-7f3a --budget-turns 80',
    'amend g-7f3a --criterion "npm test" --criterion "npm run lint"',
    'amend g-7f3a --model openai/gpt-5.1',
  ],
  requirements: [
    'requirements g-7f3a',
    'requirements g-7f3a --bind R1=C1,C2',
    'requirements g-7f3a --add "Old links still work"',
  ],
  rewind: ['rewind g-7f3a --turn 4', 'rewind g-7f3a --turn 0', 'rewind g-7f3a --undo'],
  apply: ['apply g-7f3a', 'apply g-7f3a --json', 'apply g-7f3a9c'],
  complete: [
    'complete g-7f3a --result "Shipped by hand"',
    'complete g-7f3a --result "Good enough" --json',
    'complete g-7 --result "Done"',
  ],
  clear: ['clear g-7f3a', 'clear g-7f3a --yes', 'clear g-7f3a --yes --json'],
  doctor: ['doctor', 'doctor --online', 'doctor --json'],
  up: ['up', 'up -d', 'up --workspace shop=/srv/shop --workers 2'],
  down: ['down', 'down --now', 'down --json'],
  status: ['status', 'status --exit-code', 'status --json'],
  backup: ['backup /mnt/backup/monday', 'backup /mnt/home --files', 'backup ../copy --json'],
  restore: ['restore /mnt/backup/monday', 'restore ../copy', 'restore /mnt/backup/monday --json'],
  completion: [
    'completion bash >> ~/.bash_completion',
    'completion zsh > ~/.zfunc/_goalkeeper',
    'completion fish > ~/.config/fish/completions/goalkeeper.fish',
  ],
};

/** Below what a command is for. @param path such as `goalkeeper run` */
export function examplesText(path: string): string {
  const examples = EXAMPLES[path.replace(/^goalkeeper /, '')];
  if (examples === undefined) return '';
  return `\n\nExamples:\n${examples.map((text) => `  goalkeeper ${text}`).join('\n')}`;
}
