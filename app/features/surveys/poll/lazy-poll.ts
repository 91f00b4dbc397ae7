import { lazyRouteComponent } from '@tanstack/react-router'

/** Loaded only by pages that show a poll. */
export const QuickPoll = lazyRouteComponent(() => import('./QuickPoll.tsx'), 'QuickPoll')

/** Loads it before a page with a poll is rendered, so that the page is whole without JavaScript. */
export async function preparePolls(hasPoll: boolean): Promise<void> {
  if (hasPoll) await QuickPoll.preload?.()
}
