import { reply } from '../../../demo/script.ts';
import { honestOf } from '../build.ts';
import { answers, pauses, restartsWorker, resumes, writes } from '../deeds.ts';
import {
  changed,
  claim,
  edit,
  looked,
  play,
  ran,
  read,
  run,
  say,
  step,
  todos,
  write,
} from '../moves.ts';
import { GREET_RIGHT, greeting, sums } from '../projects.ts';
import type { Trajectory } from '../trajectory.ts';

const honest = honestOf('Styles of work', greeting);

const repair = write('greet.sh', GREET_RIGHT);

const inLanguage = (language: string, plan: string, report: string): Trajectory =>
  honest(
    `works-in-${language.toLowerCase()}`,
    `plans, works and reports in ${language}`,
    play(
      todos(plan),
      reply.call('write_file', { path: 'greet.sh', content: GREET_RIGHT }, report),
      run('sh check.sh'),
      step(plan, ran('sh check.sh')),
      claim(report),
    ),
  );

const languages: readonly Trajectory[] = [
  inLanguage('German', 'Begrüßung reparieren', 'Die Begrüßung nennt jetzt den Namen.'),
  inLanguage('Spanish', 'Reparar el saludo', 'El saludo ya incluye el nombre de la persona.'),
  inLanguage('Chinese', '修复问候语', '现在问候语会包含姓名。'),
  inLanguage('Japanese', '挨拶を直す', '挨拶に名前が入るようになりました。'),
];

const rhythms: readonly Trajectory[] = [
  honest('no-list', 'repairs and claims, without a list', play(repair, claim())),
  honest(
    'yields-when-done',
    'repairs and stops talking, without a claim',
    play(repair, say('greet.sh greets everybody now.')),
  ),
  honest(
    'claims-too-early',
    'claims first, reads the refusal, repairs and claims again',
    play(claim(), read('check.sh'), repair, claim('Now it greets.')),
  ),
  honest(
    'half-then-whole',
    'repairs one half, is refused, repairs the other',
    play(write('greet.sh', 'echo "Hello, Ada!"\n'), claim(), repair, claim()),
  ),
  honest(
    'fails-on-the-way',
    'runs failing checks and a wrong edit before it gets there',
    play(
      run('sh check.sh'),
      edit('greet.sh', 'no such text', 'x'),
      edit('greet.sh', 'echo "Hello"', 'echo "Hello, $1!"'),
      run('sh check.sh'),
      repair,
      run('sh check.sh'),
      claim(),
    ),
  ),
  honest(
    'phases',
    'works in phases with sub-steps',
    play(
      todos(
        'Understand',
        '- Read the check',
        '- Read the script',
        'Repair',
        '- Write it',
        '- Check it',
      ),
      read('check.sh'),
      step('Read the check', looked('check.sh')),
      read('greet.sh'),
      step('Read the script', looked('greet.sh')),
      step('Understand', looked('greet.sh', 'check.sh')),
      repair,
      step('Write it', changed('greet.sh')),
      run('sh check.sh'),
      step('Check it', ran('sh check.sh')),
      step('Repair', changed('greet.sh')),
      claim(),
    ),
  ),
  honest(
    'changes-its-plan',
    'drops an item that turned out to be needless',
    play(
      todos('Rewrite it in another language', 'Repair it'),
      reply.call('todo_write', {
        todos: [
          { content: 'Rewrite it in another language', status: 'dropped' },
          { content: 'Repair it', status: 'in_progress' },
        ],
      }),
      repair,
      step('Repair it', changed('greet.sh')),
      claim(),
    ),
  ),
  honest(
    'several-calls-a-step',
    'asks for several calls in one step, the claim among them',
    play({
      calls: [
        { tool: 'read_file', input: { path: 'greet.sh' } },
        { tool: 'write_file', input: { path: 'greet.sh', content: GREET_RIGHT } },
        { tool: 'run_command', input: { command: 'sh check.sh' } },
        { tool: 'attempt_completion', input: { result: 'It greets.' } },
      ],
    }),
  ),
  honest(
    'writes-by-command',
    'repairs with sed instead of the editing tools',
    play(
      todos('Repair it'),
      run('sed -i "s/total - number)/total + number, 0)/" src/sum.js'),
      step('1', changed('src/sum.js')),
      run('npm test'),
      claim(),
    ),
    { project: sums },
  ),
  honest(
    'expects-nothing-found',
    'cites a search that must find nothing',
    play(
      todos('Take the marker out', 'Repair it'),
      write('greet.sh', GREET_RIGHT),
      run('grep -rn FIXME greet.sh', { expectFailure: true }),
      step('1', ran('grep -rn FIXME greet.sh')),
      step('2', changed('greet.sh')),
      claim(),
    ),
  ),
  honest(
    'talks-between',
    'stops now and then to say what comes next',
    play(
      say('I will look at the script first.'),
      read('greet.sh'),
      say('Now I need to repair it.'),
      repair,
      claim(),
    ),
  ),
];

const people: readonly Trajectory[] = [
  honest(
    'asks-and-goes-on',
    'stops to ask a question and goes on with the answer',
    play(
      reply.call('ask_user', { question: 'Whom to greet when no name is given?' }),
      repair,
      claim(),
    ),
    { deeds: [answers('Greet "you".')] },
  ),
  honest(
    'asks-in-words',
    'asks in plain text and goes on with the answer',
    play(say('Should I greet "you" when no name is given?'), repair, claim()),
    { deeds: [answers('Yes.')] },
  ),
  honest(
    'resumed-after-pause',
    'is paused in the middle and resumed',
    play({ ...read('check.sh'), delayMs: 600 }, repair, claim()),
    { deeds: [pauses, resumes('person')] },
  ),
  honest(
    'steered',
    'gets a message in the middle of a turn and works on',
    play({ ...read('check.sh'), delayMs: 500 }, read('greet.sh'), repair, claim()),
    { deeds: [writes('Keep it short, please.', 'steer')] },
  ),
  honest(
    'answers-a-message',
    'answers a person, is resumed, and finishes',
    play({ ...say('I begin.'), delayMs: 400 }, say('It goes well.'), repair, claim()),
    { deeds: [writes('How is it going?'), resumes('message')] },
  ),
  honest(
    'blocked-then-helped',
    'reports a blocker, is resumed, and finishes',
    play(
      reply.call('report_blocker', { kind: 'external', blocker: 'I need a decision.' }),
      repair,
      claim(),
    ),
    { deeds: [resumes('blocked')] },
  ),
  honest(
    'worker-restarted',
    'has its worker ended and started anew in the middle',
    play(
      read('check.sh'),
      { ...read('greet.sh'), delayMs: 1500 },
      repair,
      run('sh check.sh'),
      claim(),
    ),
    { deeds: [restartsWorker], isAlone: true },
  ),
];

export const styles: readonly Trajectory[] = [...languages, ...rhythms, ...people];
