import { describe, expect, it } from 'vitest';
import type { FinishReason } from '../../src/contract/turn-facts.ts';
import { nudgeTone, scoreTurn } from '../../src/goal/decision/score.ts';
import { defaultContinuation } from '../../src/goal/defaults.ts';
import { noSignals, ownPhrases, readSignals } from '../../src/reply/phrases.ts';
import { makeFacts } from '../goal/turn-facts.ts';

function judge(
  text: string,
  finishReason: FinishReason,
  followsToolResult: boolean,
  toolRatio: number,
) {
  const facts = makeFacts({
    signals: readSignals(text),
    finishReason,
    followsToolResult,
    toolRatio,
  });
  const score = scoreTurn(facts);
  return { total: score.total, tone: nudgeTone(score, facts.signals, defaultContinuation) };
}

describe('the score', () => {
  it.each([
    ['F1', 'Let me check the tests next.', 'stop', true, 0.75, 70, 'go_on'],
    ['F2', '', 'tool_calls', true, 0.8, 75, 'go_on'],
    ['F3', 'Now I need to update the parser.', 'absent', true, 0.6, 85, 'go_on'],
    [
      'F4',
      'The task is complete. In summary, I changed two files.',
      'stop',
      true,
      0.5,
      25,
      'name_missing',
    ],
    ['F5', "Let me know if you'd like anything else.", 'stop', false, 0.3, 0, 'name_missing'],
    [
      'F6',
      'The bug is fixed. All changes have been made to the parser.',
      'stop',
      true,
      0.6,
      45,
      'warning',
    ],
    ['F7', '', 'stop', true, 0.5, 35, 'name_missing'],
    ['F8', "I'll start by reading the code.", 'stop', false, 0, 35, 'name_missing'],
    ['F11', 'The migration is complete.', 'absent', true, 0.6, 60, 'warning'],
    ['F25', 'Let me continue with a summary', 'stop', true, 0.6, 70, 'warning'],
  ] as const)('%s: %s', (_, text, finish, result, ratio, total, tone) => {
    expect(judge(text, finish, result, ratio)).toEqual({ total, tone });
  });
});

/** Finish reason, last event, intent, no summary, ratio: the rows of the founding table. */
const WORDS = {
  goOn: [
    'continue',
    'Continue.',
    'weiter',
    'Fortfahren.',
    'continuer',
    'Continuez !',
    'continuar',
    'Sigo.',
    'Continua.',
    'avanti',
    'Prossiga.',
    'ga verder',
    'Doorgaan.',
    'Продолжай.',
    'дальше',
    '继续',
    '继续。',
    '続けて',
    '続行します。',
  ],
  finished: [
    'The task is complete, summarize.',
    'Die Aufgabe ist erledigt, zusammenfassen.',
    'La tâche est terminée, résumer.',
    'La tarea está terminada, resumir.',
    'Il compito è completato, riassumere.',
    'A tarefa está concluída, resumir.',
    'De taak is voltooid, samenvatten.',
    'Задача выполнена, подведи итоги.',
    '任务已完成，总结一下。',
    'タスクは完了しました、まとめてください。',
  ],
  handsOver: [
    'Please review my changes',
    'Bitte prüfe meine Änderungen',
    'Veuillez relire mes modifications',
    'Por favor, revisa mis cambios',
    'Per favore, controlla le mie modifiche',
    'Por favor, revise as minhas alterações',
    'Bekijk mijn wijzigingen alsjeblieft',
    'Пожалуйста, проверьте мои изменения',
    '请查看我的修改',
    '変更をご確認ください',
  ],
  nextStep: [
    'Next step: fix the parser',
    'Nächster Schritt: den Parser reparieren',
    "Prochaine étape : réparer l'analyseur",
    'Siguiente paso: arreglar el analizador',
    'Prossimo passo: correggere il parser',
    'Próximo passo: corrigir o parser',
    'Volgende stap: de parser herstellen',
    'Следующий шаг: исправить парсер',
    '下一步：修复解析器',
    '次のステップ：パーサーの修正',
  ],
  done: [
    "I'm done.",
    'Ich bin fertig.',
    "J'ai fini.",
    'He terminado.',
    'Ho finito.',
    'Terminei.',
    'Ik ben klaar.',
    'Я закончил.',
    '我做完了。',
    '終わりました。',
  ],
  asks: [
    'Should I delete the table?',
    'Soll ich die Tabelle löschen?',
    'Dois-je supprimer la table ?',
    '¿Debo borrar la tabla?',
    'Devo eliminare la tabella?',
    'Devo apagar a tabela?',
    'Zal ik de tabel verwijderen?',
    'Мне удалить таблицу?',
    '我应该删除这个表吗？',
    'テーブルを削除してもよろしいですか？',
  ],
  wakes: [
    "I'll run the tests now.",
    'Ich werde jetzt die Tests ausführen.',
    'Je vais lancer les tests.',
    'Voy a ejecutar las pruebas.',
    'Ora eseguirò i test.',
    'Vou executar os testes.',
    'Ik ga nu de tests draaien.',
    'Теперь я запущу тесты.',
    '接下来我将运行测试。',
    '次にテストを実行します。',
  ],
  notYet: [
    'Once the bug is fixed, the rest follows.',
    'Sobald der Fehler behoben ist, folgt der Rest.',
    'Quand le test est terminé, la suite vient.',
    'Cuando la tarea está terminada, sigue el resto.',
    'Quando il compito è completato, segue il resto.',
    'Quando a tarefa está concluída, segue o resto.',
    'Zodra de taak is voltooid, volgt de rest.',
    'Когда задача выполнена, следует остальное.',
    '如果任务已完成，再看其余的。',
    'タスクが完了したら、残りに進む。',
  ],
} as const;

describe('the founding table, in each language', () => {
  it.each([
    ...WORDS.goOn.map((text) => [text, 'stop', true, 0.8, [0, 25, 25, 10, 10]] as const),
    ...WORDS.goOn.map((text) => [text, 'stop', false, 0, [0, 0, 25, 10, 0]] as const),
    ['', 'tool_calls', true, 0.8, [30, 25, 0, 10, 10]] as const,
    ...WORDS.goOn.map((text) => [text, 'absent', true, 0.8, [15, 25, 25, 10, 10]] as const),
    ...WORDS.finished.map((text) => [text, 'stop', true, 0.8, [0, 25, 0, 0, 10]] as const),
    ...WORDS.handsOver.map((text) => [text, 'stop', false, 0.8, [0, 0, 0, 0, 10]] as const),
    ...WORDS.nextStep.map((text) => [text, 'stop', true, 0.8, [0, 25, 25, 10, 10]] as const),
    ...WORDS.done.map((text) => [text, 'stop', true, 0.8, [0, 25, 0, 10, 10]] as const),
  ])(
    'F27 %j after %s, a tool result: %s, ratio %d',
    (text, finishReason, followsToolResult, toolRatio, parts) => {
      const signals = readSignals(text);
      const score = scoreTurn(makeFacts({ signals, finishReason, followsToolResult, toolRatio }));
      const { finishReason: end, toolResult, intent, noSummary, ratio } = score;
      expect([end, toolResult, intent, noSummary, ratio]).toEqual(parts);
      expect(score.total).toBe(parts.reduce((sum: number, points) => sum + points, 0));
    },
  );

  it('F27 phrases of an operator count as built-in ones do: whole words, in any case', () => {
    const own = ownPhrases({ intent: ['on it', 'a+b (now)'], completion: ['shipped'] });
    const seen = (text: string) => {
      const { hasIntent, hasCompletion } = readSignals(text, own);
      return [hasIntent, hasCompletion];
    };
    expect(seen('On  it.')).toEqual([true, false]);
    expect(seen('Then A+B (now)!')).toEqual([true, false]);
    expect(seen('It is SHIPPED.')).toEqual([false, true]);
    for (const text of [
      'common item',
      'aab now',
      'unshipped',
      '> shipped',
      'Once it is shipped, rest.',
    ])
      expect(seen(text)).toEqual([false, false]);
    expect(readSignals('On it. It is shipped.')).toMatchObject({
      hasIntent: false,
      hasCompletion: false,
    });
    const facts = makeFacts({ signals: readSignals('On it.', own), followsToolResult: true });
    expect(scoreTurn(facts).intent).toBe(25);
  });

  it.each(WORDS.done)('F27 says that it is done: %s', (text) => {
    expect(readSignals(text)).toMatchObject({ hasCompletion: true, hasIntent: false });
  });

  it.each(WORDS.asks)('F10 asks directly: %s', (text) => {
    expect(readSignals(text)).toMatchObject({ asksDirectly: true, waitsForPerson: true });
  });

  it.each(WORDS.wakes)('F27 means to go on: %s', (text) => {
    const signals = {
      hasIntent: true,
      hasCompletion: false,
      hasSummary: false,
      asksDirectly: false,
    };
    expect(readSignals(text)).toMatchObject(signals);
  });

  it.each(WORDS.notYet)('F27 does not say that it is done: %s', (text) => {
    expect(readSignals(text).hasCompletion).toBe(false);
  });
});

describe('questions to the person (F10, rule 8)', () => {
  it.each([
    'Should I proceed with the deletion?',
    'I found 3 files. Do you want me to delete them?',
    '**Which option do you prefer?**',
    'Which one should I take?\n1. The fast one\n2. The safe one',
    'Proceed with the migration?',
    'Shall I run `npm test` now? (yes/no)',
    'Soll ich fortfahren?',
    'Dois-je continuer ?',
    '¿Quieres que continúe?',
    'I did it. Shall I go on?',
    'One thing: shall I go on?',
    'Shall I go on? \n',
    'Shall I go on?)',
    'Shall I run it?(yes/no)',
    'Which option do you prefer?\n\n \n1. Fast\n2. Safe',
    'Which option do you prefer?)\n- fast\n- safe',
    'Which one? I took the first.\n- Shall I go on?',
    '1. Shall I go on?\n2. Or else I stop.',
  ])('asks directly: %j', (text) => {
    expect(readSignals(text).asksDirectly).toBe(true);
  });

  it.each([
    'Why does the test fail?',
    'It now prints "Do you want to continue?"',
    'Done.\n```\nShould I proceed?\n```',
    'Should I use a map? No: a set is enough.',
    'The regex is `you?`',
    'Shall I go on?\nI did it.',
    'Shall I go on?no',
    '',
  ])('does not ask directly: %j', (text) => {
    expect(readSignals(text).asksDirectly).toBe(false);
  });

  it.each([
    'Please confirm that the table may go.',
    "I'm waiting for your approval.",
    'I will not go on until you confirm.',
    'Bitte bestätigen Sie das Löschen.',
    "J'attends votre réponse.",
    'Espero tu respuesta.',
  ])('waits: %s', (text) => {
    expect(readSignals(text).waitsForPerson).toBe(true);
  });
});

describe('words of intent and completion', () => {
  it.each([
    "I'll now fix it",
    'Let’s run the tests',
    'Ich werde jetzt die Tests ausführen.',
    'Je vais corriger le test.',
    'Voy a corregir la prueba.',
  ])('means to go on: %s', (text) =>
    expect(readSignals(text)).toMatchObject({ hasIntent: true, hasCompletion: false }),
  );

  it.each(['Let me know.', 'The letter is here.'])('does not mean to go on: %s', (text) => {
    expect(readSignals(text).hasIntent).toBe(false);
  });

  it.each([
    'All tests pass.',
    'I have implemented it.',
    'Alles ist erledigt.',
    'Tout est terminé.',
    'Todo está listo.',
    'If it rains, wait. The bug is fixed.',
    'If so\nthe bug is fixed.',
    'The bug is fixed, not the other one.',
    'The count is > 3 and all tests pass.',
    'a->b: all tests pass.',
    'All   tests pass.',
    '```\nx\n```\nAll tests pass.',
  ])('says that it is done: %j', (text) => expect(readSignals(text).hasCompletion).toBe(true));

  it.each([
    '```\nAll tests pass.\n```',
    'So:\n   ```\nAll tests pass.\n   ```',
    'So:\n~~~ text\nAll tests pass.\n~~~\n',
    'So:\n```\nAll tests pass.',
    '```\nx\n```js All tests pass.',
    '> All tests pass.',
    '  > All tests pass.',
    '"All tests pass."',
    '“All tests pass.”',
    '«All tests pass.»',
    '„All tests pass.“',
    '`All tests pass.`',
  ])("says nothing in others' words: %j", (text) =>
    expect(readSignals(text).hasCompletion).toBe(false),
  );

  it('plans a summary only where one sentence says so', () => {
    expect(readSignals('Let me sum up.').plansSummary).toBe(true);
    expect(readSignals('Let me look. The summary is short.').plansSummary).toBe(false);
  });

  it.each([
    ['', true],
    [' \n', true],
    ['-', false],
  ])('is empty where it holds nothing but blanks: %j is %s', (text, isEmpty) => {
    expect(readSignals(text).isEmpty).toBe(isEmpty);
  });

  it.each([
    'It is not yet complete.',
    'Once the bug is fixed, the rest follows.',
    'The bug has not been fixed.',
  ])('does not say that it is done: %s', (text) =>
    expect(readSignals(text).hasCompletion).toBe(false),
  );

  it.each(['Silmemi ister misiniz?', 'Teraz sprawdzę testy.', 'Nyt jatkan työtä.'])(
    'reads nothing from a language without phrases (F16): %s',
    (text) => expect(readSignals(text)).toEqual({ ...noSignals, isEmpty: false }),
  );
});
