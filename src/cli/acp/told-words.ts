import type { Turn } from '../../../schema/turn.ts';
import type { TextPiece } from '../../contract/live.ts';
import { printable } from '../terminal.ts';
import type { Editor } from './editor.ts';

/** What is said in a goal: by its model piece by piece, and by people elsewhere. */
export interface ToldWords {
  /** A message as the record has it; what was heard of it is not told again. */
  message(turn: number, message: Turn['messages'][number]): void;
  /** @param before reads the record, since the answer before may have ended unheard */
  hear(piece: TextPiece, before: () => Promise<void>): Promise<void>;
  /** A person said it here, so that the editor shows it already. */
  said(text: string): void;
}

const NOTHING = { place: '', turn: 0, text: '', isBroken: true };

export function toldWords(editor: Editor): ToldWords {
  const own: string[] = [];
  let heard = NOTHING;
  /** Each step of a turn ends with one message, so their number is that of the last step. */
  let ended = { turn: 0, step: 0 };
  const isTold = ({ turn, step }: Pick<TextPiece, 'turn' | 'step'>) =>
    turn < ended.turn || (turn === ended.turn && step <= ended.step);
  return {
    message(turn, { voice, text }) {
      const whole = printable(text);
      if (voice === 'person') {
        const known = own.findIndex((one) => text.includes(one));
        if (known < 0) editor.quote(whole);
        else own.splice(known, 1);
      }
      if (voice !== 'model') return;
      ended = { turn, step: turn === ended.turn ? ended.step + 1 : 1 };
      const isHeard = heard.turn === turn && heard.text !== '' && whole.startsWith(heard.text);
      if (!isHeard) editor.endMessage();
      editor.say(isHeard ? whole.slice(heard.text.length) : whole);
      editor.endMessage();
      heard = NOTHING;
    },
    async hear({ turn, step, attempt, start, text }, before) {
      if (isTold({ turn, step })) return;
      const place = `${turn}.${step}.${attempt}`;
      if (place !== heard.place) {
        if (heard.text !== '') await before();
        if (isTold({ turn, step })) return;
        editor.endMessage();
        heard = { place, turn, text: '', isBroken: false };
      }
      if (start !== heard.text.length) heard.isBroken = true;
      if (heard.isBroken || text === '') return;
      heard.text += printable(text);
      editor.say(printable(text));
    },
    said: (text) => void own.push(text),
  };
}
