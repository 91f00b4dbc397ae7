import { lazyRouteComponent } from '@tanstack/react-router'

/** Loaded only by pages of projects with a vote on money. */
export const BudgetCard = lazyRouteComponent(() => import('./BudgetCard.tsx'), 'BudgetCard')

/** Loads it before the page is rendered, so that the page is whole without JavaScript. */
export async function prepareBudgetCards(hasRounds: boolean): Promise<void> {
  if (hasRounds) await BudgetCard.preload?.()
}
