import { lazyRouteComponent } from '@tanstack/react-router'

/** Loaded only by pages of projects with events. */
export const EventCard = lazyRouteComponent(() => import('./EventCard.tsx'), 'EventCard')

/** Loads it before the page is rendered, so that the page is whole without JavaScript. */
export async function prepareEventCards(hasEvents: boolean): Promise<void> {
  if (hasEvents) await EventCard.preload?.()
}
