import { expect, test } from 'vitest';
import { type Payer, pricePerMillion } from '../../src/attempt/charges.ts';
import { defaultBudget } from '../../src/goal/defaults.ts';
import { loadPrices } from '../../src/model/prices.ts';

const prices = loadPrices(undefined);

function rates(model: string, estimatedInput: number, costUsd: string | null = '5') {
  const budget = { ...defaultBudget, costUsd };
  const ports = { model: prices } as unknown as Payer['ports'];
  return pricePerMillion({ ports, brief: { model, budget } }, estimatedInput);
}

test('a reservation uses the prices of the tier that its input reaches, also for the output', () => {
  const model = 'google/gemini-2.5-pro';
  expect(rates(model, 1)).toEqual({ inputPerMTok: '1.25', outputPerMTok: '10' });
  expect(rates(model, 100_000)).toEqual({ inputPerMTok: '1.25', outputPerMTok: '10' });
  expect(rates(model, 250_000)).toEqual({ inputPerMTok: '2.5', outputPerMTok: '15' });
});

test('an input that the provider may count into the next tier is reserved at its prices', () => {
  expect(rates('google/gemini-2.5-pro', 170_000)?.outputPerMTok).toBe('15');
});

test('a model without prices, and a goal without a cost limit, have none', () => {
  expect(rates('compatible/anything', 1000)).toBeNull();
  expect(rates('google/gemini-2.5-pro', 1000, null)).toBeNull();
});
