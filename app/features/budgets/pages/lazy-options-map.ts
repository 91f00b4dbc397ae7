import { lazyRouteComponent } from '@tanstack/react-router'
import type { OptionsMapView } from '../budgets.schema.ts'

/** A browser that opens the page first keeps it as the server wrote it, and never loads its file. */
export const OptionsMap = lazyRouteComponent(() => import('./OptionsMap.tsx'), 'OptionsMap')

/** Loads it before the server renders the page, so that the page is whole without JavaScript. */
export async function prepareOptionsMap(map: OptionsMapView | null): Promise<void> {
  if (map && import.meta.env.SSR) await OptionsMap.preload?.()
}
