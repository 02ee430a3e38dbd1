export const goalTabs = ['overview', 'changes', 'gate', 'history', 'ledger'] as const;

export type GoalTab = (typeof goalTabs)[number];
